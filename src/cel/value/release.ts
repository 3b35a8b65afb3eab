// Releases of cel-go whose results differ.

/** The minor version of cel-go 0.x: 26 in Kubernetes up to 1.36, 29 from 1.37, 30 in Kyverno 1.19. */
export type CelGo = 26 | 29 | 30;
