package serviceaccount

const EnforceMountableSecretsAnnotation = "kubernetes.io/enforce-mountable-secrets"
