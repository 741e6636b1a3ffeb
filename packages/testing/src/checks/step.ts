import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Step {
  name: string;
  command: string;
  arguments: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** Prints output immediately; otherwise it is printed only when the step fails. */
  live?: boolean;
}

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const running = new Set<ChildProcess>();

/** Ends every running step with its child processes. */
export function endSteps(): void {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
}

function run(step: Step): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(step.command, step.arguments, {
      cwd: root,
      env: { ...process.env, ...step.environment },
      stdio: ['ignore', ...(step.live ? (['inherit', 'inherit'] as const) : (['pipe', 'pipe'] as const))],
      // Leads a process group, so that it can be ended with its children.
      detached: true,
    });
    running.add(child);
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => {
      running.delete(child);
      resolve({ code: 1, output: error.message });
    });
    child.once('close', (code) =>
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}

/** Runs a step and prints its result and duration. @returns whether it passed */
async function runStep(step: Step): Promise<boolean> {
  const started = performance.now();
  const { code, output } = await run(step);
  const passed = code === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (!passed && !step.live) process.stdout.write(`\n${output.trimEnd()}\n`);
  process.stdout.write(`${passed ? '✓' : '✗'} ${step.name} (${seconds} s)\n`);
  return passed;
}

/** Runs steps that do not depend on each other, `parallel` at a time. @returns the names of the failed steps */
export async function runSteps(steps: readonly Step[], parallel: number): Promise<string[]> {
  const waiting = [...steps];
  const failed: string[] = [];
  async function runNext(): Promise<void> {
    for (let step = waiting.shift(); step; step = waiting.shift())
      if (!(await runStep(step))) failed.push(step.name);
  }
  await Promise.all(Array.from({ length: parallel }, runNext));
  return failed;
}
