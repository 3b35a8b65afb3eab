// Defaults that do not depend on other fields: upstream's pkg/apis/*/v*/defaults.go as a table.

/**
 * `struct field=value …`, in the notation of the generated table of structs: `@36-` limits a row to releases, `{}` is
 * an empty struct, `[a]` a list. A default applies to nil pointers, and to other fields with the zero value.
 */
export const FIXED_VALUES: readonly string[] = [
  'core/v1.AzureDiskVolumeSource cachingMode=ReadWrite fsType=ext4 kind=Shared readOnly=false',
  'core/v1.ConfigMapVolumeSource defaultMode=420',
  'core/v1.Container terminationMessagePath=/dev/termination-log terminationMessagePolicy=File',
  'core/v1.ContainerPort protocol=TCP',
  'core/v1.DownwardAPIVolumeSource defaultMode=420',
  'core/v1.EndpointPort protocol=TCP',
  'core/v1.EphemeralContainer terminationMessagePath=/dev/termination-log terminationMessagePolicy=File',
  'core/v1.GRPCAction service=',
  'core/v1.HTTPGetAction path=/ scheme=HTTP',
  'core/v1.HostPathVolumeSource type=',
  'core/v1.ISCSIPersistentVolumeSource iscsiInterface=default',
  'core/v1.ISCSIVolumeSource iscsiInterface=default',
  'core/v1.NamespaceStatus phase=Active',
  'core/v1.ObjectFieldSelector apiVersion=v1',
  'core/v1.PersistentVolumeClaimSpec volumeMode=Filesystem',
  'core/v1.PodSpec dnsPolicy=ClusterFirst restartPolicy=Always securityContext={} terminationGracePeriodSeconds=30 schedulerName=default-scheduler',
  'core/v1.Probe timeoutSeconds=1 periodSeconds=10 successThreshold=1 failureThreshold=3',
  'core/v1.ProjectedVolumeSource defaultMode=420',
  'core/v1.RBDPersistentVolumeSource keyring=/etc/ceph/keyring pool=rbd user=admin',
  'core/v1.RBDVolumeSource keyring=/etc/ceph/keyring pool=rbd user=admin',
  'core/v1.ReplicationControllerSpec replicas=1',
  'core/v1.ScaleIOPersistentVolumeSource fsType=xfs storageMode=ThinProvisioned',
  'core/v1.ScaleIOVolumeSource fsType=xfs storageMode=ThinProvisioned',
  'core/v1.Secret type=Opaque',
  'core/v1.SecretVolumeSource defaultMode=420',
  'core/v1.ServiceAccountTokenProjection expirationSeconds=3600',
  'core/v1.ServicePort protocol=TCP',

  'apps/v1.DaemonSetSpec revisionHistoryLimit=10',
  'apps/v1.DaemonSetUpdateStrategy type=RollingUpdate',
  'apps/v1.DeploymentSpec replicas=1 revisionHistoryLimit=10 progressDeadlineSeconds=600',
  'apps/v1.DeploymentStrategy type=RollingUpdate',
  'apps/v1.ReplicaSetSpec replicas=1',
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted=Retain whenScaled=Retain',
  'apps/v1.StatefulSetSpec podManagementPolicy=OrderedReady persistentVolumeClaimRetentionPolicy={} replicas=1 revisionHistoryLimit=10',

  // Not defaults: the internal version has values for these pointers.
  'apps/v1.RollingUpdateDaemonSet maxUnavailable=0 maxSurge=0',
  'apps/v1.RollingUpdateDeployment maxUnavailable=0 maxSurge=0',
  'apps/v1.RollingUpdateStatefulSetStrategy partition=0',

  'batch/v1.CronJobSpec concurrencyPolicy=Allow suspend=false successfulJobsHistoryLimit=3 failedJobsHistoryLimit=1',
  'batch/v1.PodFailurePolicyOnPodConditionsPattern status=True@34-',

  'autoscaling/v1.HorizontalPodAutoscalerSpec minReplicas=1',
  'autoscaling/v2.HorizontalPodAutoscalerSpec minReplicas=1',

  'networking/v1.IngressClassParametersReference scope=Cluster',
  'networking/v1.NetworkPolicyPort protocol=TCP',
  'discovery/v1.EndpointPort name= protocol=TCP',

  'rbac/v1.RoleRef apiGroup=rbac.authorization.k8s.io',

  'resource/v1alpha2.ResourceClaimSpec allocationMode=WaitForFirstConsumer',

  'scheduling/v1.PriorityClass preemptionPolicy=PreemptLowerPriority',
  'storage/v1.CSIDriverSpec attachRequired=true podInfoOnMount=false storageCapacity=false fsGroupPolicy=ReadWriteOnceWithFSType volumeLifecycleModes=[Persistent] requiresRepublish=false seLinuxMount=false preventPodSchedulingIfMissing=false@37-',
  'storage/v1.StorageClass reclaimPolicy=Delete volumeBindingMode=Immediate',

  'admissionregistration/v1.MatchResources matchPolicy=Equivalent namespaceSelector={} objectSelector={}',
  'admissionregistration/v1.MutatingAdmissionPolicySpec failurePolicy=Fail',
  'admissionregistration/v1.MutatingWebhook failurePolicy=Fail matchPolicy=Equivalent namespaceSelector={} objectSelector={} timeoutSeconds=10 reinvocationPolicy=Never',
  'admissionregistration/v1.NamedRuleWithOperations scope=*',
  'admissionregistration/v1.RuleWithOperations scope=*',
  'admissionregistration/v1.ServiceReference port=443',
  'admissionregistration/v1.ValidatingAdmissionPolicySpec failurePolicy=Fail',
  'admissionregistration/v1.ValidatingWebhook failurePolicy=Fail matchPolicy=Equivalent namespaceSelector={} objectSelector={} timeoutSeconds=10',
  'admissionregistration/v1beta1.MatchResources matchPolicy=Equivalent namespaceSelector={} objectSelector={}',
  'admissionregistration/v1beta1.MutatingAdmissionPolicySpec failurePolicy=Fail',
  'admissionregistration/v1beta1.NamedRuleWithOperations scope=*',
  'admissionregistration/v1beta1.ValidatingAdmissionPolicySpec failurePolicy=Fail',
  'admissionregistration/v1alpha1.MatchResources matchPolicy=Equivalent namespaceSelector={} objectSelector={}',
  'admissionregistration/v1alpha1.MutatingAdmissionPolicySpec failurePolicy=Fail',
  'admissionregistration/v1alpha1.NamedRuleWithOperations scope=*',
  'admissionregistration/v1alpha1.ParamRef parameterNotFoundAction=Deny',
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicySpec failurePolicy=Fail',

  'authentication/v1.TokenRequestSpec expirationSeconds=3600',
  'apiextensions/v1.CustomResourceDefinitionSpec conversion={}',
  'apiextensions/v1.ServiceReference port=443',
  'apiregistration/v1.ServiceReference port=443',

  'flowcontrol/v1.ExemptPriorityLevelConfiguration nominalConcurrencyShares=0 lendablePercent=0',
  'flowcontrol/v1.FlowSchemaSpec matchingPrecedence=1000',
  'flowcontrol/v1.LimitedPriorityLevelConfiguration nominalConcurrencyShares=30 lendablePercent=0',
  'flowcontrol/v1.QueuingConfiguration handSize=8 queues=64 queueLengthLimit=50',
  'flowcontrol/v1beta3.ExemptPriorityLevelConfiguration nominalConcurrencyShares=0 lendablePercent=0',
  'flowcontrol/v1beta3.FlowSchemaSpec matchingPrecedence=1000',
  'flowcontrol/v1beta3.LimitedPriorityLevelConfiguration nominalConcurrencyShares=30 lendablePercent=0',
  'flowcontrol/v1beta3.QueuingConfiguration handSize=8 queues=64 queueLengthLimit=50',
  'flowcontrol/v1beta2.ExemptPriorityLevelConfiguration nominalConcurrencyShares=0 lendablePercent=0',
  'flowcontrol/v1beta2.FlowSchemaSpec matchingPrecedence=1000',
  'flowcontrol/v1beta2.LimitedPriorityLevelConfiguration assuredConcurrencyShares=30 lendablePercent=0',
  'flowcontrol/v1beta2.QueuingConfiguration handSize=8 queues=64 queueLengthLimit=50',
];
