import type { GraphKind } from './kinds.ts';
import { NodeCircleProgram } from 'sigma/rendering';
import type { NodeDisplayData } from 'sigma/types';
import { floatColor } from 'sigma/utils';

/** Shapes of the shader: circle, triangle, square, hexagon; color is never the only information (WCAG 1.4.1). */
const shapes = { vulnerability: 0, threat: 1, asset: 2, project: 3 } as const satisfies Record<
  GraphKind,
  number
>;

/** Display data of a node. */
export interface ShapeData extends NodeDisplayData {
  kind: GraphKind;
  /** Color of the outline, for contrast against similar backgrounds. */
  outline: string;
}

const vertexShader = /* glsl */ `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec4 a_outline;
attribute vec2 a_position;
attribute float a_size;
attribute float a_shape;
attribute float a_angle;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;

varying vec4 v_color;
varying vec4 v_outline;
varying vec2 v_point;
varying float v_radius;
varying float v_shape;

const float bias = 255.0 / 254.0;

void main() {
  // A triangle around the node's circle; sigma's unit of length is two pixels.
  float size = a_size * u_correctionRatio / u_sizeRatio * 4.0;
  vec2 away = size * vec2(cos(a_angle), sin(a_angle));
  gl_Position = vec4((u_matrix * vec3(a_position + away, 1)).xy, 0, 1);
  float pixel = 2.0 * u_correctionRatio;
  v_point = away / pixel;
  v_radius = size / 2.0 / pixel;
  v_shape = a_shape;
  #ifdef PICKING_MODE
  v_color = a_id;
  v_outline = a_id;
  #else
  v_color = a_color;
  v_outline = a_outline;
  #endif
  v_color.a *= bias;
  v_outline.a *= bias;
}`;

// Signed distances in pixels: negative inside.
const fragmentShader = /* glsl */ `
precision highp float;

varying vec4 v_color;
varying vec4 v_outline;
varying vec2 v_point;
varying float v_radius;
varying float v_shape;

float square(vec2 p, float r) {
  float corner = 0.2 * r;
  vec2 q = abs(p) - vec2(0.8 * r - corner);
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - corner;
}

float triangle(vec2 p, float r) {
  const float k = 1.7320508;
  float side = 0.84 * r;
  p.y += 0.12 * r;
  p.x = abs(p.x) - side;
  p.y = p.y + side / k;
  if (p.x + k * p.y > 0.0) p = vec2(p.x - k * p.y, -k * p.x - p.y) / 2.0;
  p.x -= clamp(p.x, -2.0 * side, 0.0);
  return -length(p) * sign(p.y);
}

float hexagon(vec2 p, float r) {
  const vec3 k = vec3(-0.8660254, 0.5, 0.5773503);
  float inner = 0.86 * r;
  p = abs(p);
  p -= 2.0 * min(dot(k.xy, p), 0.0) * k.xy;
  p -= vec2(clamp(p.x, -k.z * inner, k.z * inner), inner);
  return length(p) * sign(p.y);
}

void main(void) {
  float radius = v_radius - 1.0;
  float distance = length(v_point) - radius;
  if (v_shape > 2.5) distance = hexagon(v_point, radius);
  else if (v_shape > 1.5) distance = square(v_point, radius);
  else if (v_shape > 0.5) distance = triangle(v_point, radius);

  #ifdef PICKING_MODE
  gl_FragColor = distance > 1.0 ? vec4(0.0) : v_color;
  #else
  float width = clamp(v_radius * 0.14, 0.8, 2.0);
  vec4 color = mix(v_color, v_outline, smoothstep(-width - 0.5, -width + 0.5, distance));
  gl_FragColor = color * (1.0 - smoothstep(-0.5, 0.5, distance));
  #endif
}`;

/** Draws nodes in the shape of their kind with an outline, in one draw call. */
export class ShapeProgram extends NodeCircleProgram {
  override getDefinition() {
    const circle = super.getDefinition();
    const [position, size, color, id] = circle.ATTRIBUTES;
    if (position === undefined || size === undefined || color === undefined || id === undefined) {
      throw new Error('Unsupported version of sigma: unexpected attributes of NodeCircleProgram');
    }
    return {
      ...circle,
      VERTEX_SHADER_SOURCE: vertexShader,
      FRAGMENT_SHADER_SOURCE: fragmentShader,
      ATTRIBUTES: [position, size, color, { ...color, name: 'a_outline' }, { ...size, name: 'a_shape' }, id],
    };
  }

  override processVisibleItem(nodeIndex: number, start: number, data: NodeDisplayData): void {
    const { x, y, size, color, outline, kind } = data as ShapeData;
    this.array.set([x, y, size, floatColor(color), floatColor(outline), shapes[kind], nodeIndex], start);
  }
}
