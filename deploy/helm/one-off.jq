# A pod that runs one command, with the image, the configuration and the secrets of a Deployment that may have no pods:
#   kubectl get deployment pay-worker-money --output json |
#     jq --from-file deploy/helm/one-off.jq --args -- restore database | kubectl create --filename -
# With `--arg secret NAME` before --args it has the Secret of that name. Its component is its own, so that no Deployment
# takes it for one of its pods. It has no port and no annotations: it answers nobody who asks for metrics, and with a
# container of a service mesh it would never end.
.spec.template
  | .apiVersion = "v1"
  | .kind = "Pod"
  | .metadata.name = "steadypay-\($ARGS.positional[0])"
  | .metadata.labels["app.kubernetes.io/component"] = $ARGS.positional[0]
  | .spec.restartPolicy = "Never"
  | .spec.containers[0].args = $ARGS.positional
  | del(.metadata.annotations)
  | del(.spec.containers[0] | .ports, .startupProbe, .livenessProbe, .readinessProbe)
  | if $ARGS.named.secret then
      (.spec.volumes[] | select(.secret) | .secret.secretName) = $ARGS.named.secret
    else . end
