{{- define "steadypay.labels" -}}
app.kubernetes.io/name: steadypay
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* A value as text. A file of values has all numbers as floats, which would be written as 2.0261201e+07. */}}
{{- define "steadypay.text" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) }}{{ printf "%.0f" . }}{{ else }}{{ toString . }}{{ end }}
{{- end }}

{{/* The labels of the pods of a part: dict "root" $ "part" "api" */}}
{{- define "steadypay.selector" -}}
app.kubernetes.io/name: steadypay
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "steadypay.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ include "steadypay.text" (.Values.image.tag | default .Chart.AppVersion) }}
{{- end -}}
{{- end }}

{{/* The variables: those of the configuration, and the name of the file of each secret. */}}
{{- define "steadypay.env" -}}
{{- range $name, $value := merge dict .more .root.Values.config }}
- name: {{ $name }}
  value: {{ include "steadypay.text" $value | quote }}
{{- end }}
{{- range .root.Values.secret.keys }}
- name: {{ . }}_FILE
  value: /run/secrets/{{ . }}
{{- end }}
{{- end }}

{{- define "steadypay.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "steadypay.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "steadypay.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets, readOnly: true }
{{- end }}

{{/* A writable /tmp, and the files of the secrets: dict "root" $ "secret" "name" */}}
{{- define "steadypay.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 128Mi }
- name: secrets
  secret:
    secretName: {{ .secret }}
    defaultMode: 0440
    items:
      {{- range .root.Values.secret.keys }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}

{{/* One container that runs a process: dict "root" $ "part" name "args" list "more" dict "resources" dict */}}
{{- define "steadypay.pod" -}}
metadata:
  labels: {{- include "steadypay.selector" . | nindent 4 }}
  annotations:
    {{- if not .root.Values.metrics.podMonitor.enabled }}
    prometheus.io/scrape: 'true'
    prometheus.io/port: '9464'
    {{- end }}
    {{- with .root.Values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .graceSeconds }}
  securityContext: {{- include "steadypay.podSecurity" .root | nindent 4 }}
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    {{- $labels := include "steadypay.selector" . }}
    {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- $labels | nindent 10 }}
    {{- end }}
  containers:
    - name: {{ .part }}
      image: {{ include "steadypay.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: {{ toJson .args }}
      env: {{- include "steadypay.env" . | nindent 8 }}
      ports:
        {{- if eq .part "api" }}
        - { name: http, containerPort: 3000 }
        {{- end }}
        - { name: metrics, containerPort: 9464 }
      # The first start waits for the database and its migrations.
      startupProbe:
        httpGet: { path: /healthz, port: metrics }
        periodSeconds: 5
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /healthz, port: metrics }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: {{ .part | eq "api" | ternary "http" "metrics" }} }
        periodSeconds: 3
        timeoutSeconds: 4
        failureThreshold: 2
      resources: {{- toYaml .resources | nindent 8 }}
      securityContext: {{- include "steadypay.containerSecurity" .root | nindent 8 }}
      volumeMounts: {{- include "steadypay.mounts" .root | nindent 8 }}
  volumes: {{- include "steadypay.volumes" (dict "root" .root "secret" .root.Values.secret.name) | nindent 4 }}
{{- end }}
