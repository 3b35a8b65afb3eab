// Kinds, as `group/Kind`, whose objects make a controller apply other objects.

export const FLUX_KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/Kustomization';
export const FLUX_HELM_RELEASE = 'helm.toolkit.fluxcd.io/HelmRelease';
export const FLUX_INSTANCE = 'fluxcd.controlplane.io/FluxInstance';
export const FLUX_RESOURCE_SET = 'fluxcd.controlplane.io/ResourceSet';
export const ARGO_APPLICATION = 'argoproj.io/Application';
export const ARGO_APPLICATION_SET = 'argoproj.io/ApplicationSet';
