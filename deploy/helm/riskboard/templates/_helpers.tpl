{{- define "riskboard.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "riskboard.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}

{{- define "riskboard.serviceAccount" -}}
{{- default (include "riskboard.name" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "riskboard.labels" -}}
app.kubernetes.io/name: riskboard
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "riskboard.selector" -}}
app.kubernetes.io/name: riskboard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "riskboard.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "riskboard.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "riskboard.environment" -}}
- name: APP_ORIGIN
  value: {{ .Values.origin | quote }}
- name: SIGNUP
  value: {{ .Values.signup | quote }}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: "3000"
- name: DATA_DIR
  value: /data
{{- with .Values.trustedProxies }}
- name: TRUSTED_PROXIES
  value: {{ join "," . | quote }}
{{- end }}
{{- range $name, $value := .Values.environment }}
- name: {{ $name }}
  value: {{ include "riskboard.text" $value | quote }}
{{- end }}
{{- end -}}

{{- /* Numbers of a values file are floats, which are rendered with an exponent from seven digits on. */ -}}
{{- define "riskboard.text" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) -}}
{{- printf "%.0f" . -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end -}}

{{- define "riskboard.host" -}}
{{- (urlParse .Values.origin).hostname | lower -}}
{{- end -}}

{{- define "riskboard.mounts" -}}
- name: tmp
  mountPath: /tmp
- name: data
  mountPath: /data
{{- end -}}

{{- define "riskboard.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 512Mi
- name: data
  emptyDir:
    sizeLimit: 512Mi
{{- end -}}
