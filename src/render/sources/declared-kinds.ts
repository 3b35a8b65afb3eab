// Kinds, as `group/Kind`, of the objects that make a controller apply others.

export const FLUX_KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/Kustomization';
export const FLUX_HELM_RELEASE = 'helm.toolkit.fluxcd.io/HelmRelease';
export const ARGO_APPLICATION = 'argoproj.io/Application';
export const ARGO_APPLICATION_SET = 'argoproj.io/ApplicationSet';
