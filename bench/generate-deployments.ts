// Generates typical Deployments from a seed: most conform to the Pod Security Standards, some violate one of them.
import { seeded } from './seeded.ts';

/** The JSON form of manifests. */
export interface GeneratedDeployment {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'Deployment';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly replicas: number;
    readonly selector: unknown;
    readonly template: { readonly metadata: object; readonly spec: object };
  };
}

const CONTAINERS = ['app', 'proxy', 'metrics'];
/** Share of Deployments that conform to a given rule. */
const SOUND = 0.98;

export function generateDeployments(count: number, namespace: string, seed: number): readonly GeneratedDeployment[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => deployment(`app-${index}`, namespace, random));
}

function deployment(name: string, namespace: string, random: () => number): GeneratedDeployment {
  const isSound = (): boolean => random() < SOUND;
  const labels = { 'app.kubernetes.io/name': name };
  const names = CONTAINERS.slice(0, 1 + Math.floor(random() * CONTAINERS.length));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 1 + Math.floor(random() * 5),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...(isSound() ? {} : { hostNetwork: true }),
          securityContext: { runAsNonRoot: isSound(), seccompProfile: { type: 'RuntimeDefault' } },
          ...(random() < 0.3 && { initContainers: [container('migrate', isSound)] }),
          containers: names.map((containerName) => container(containerName, isSound)),
          volumes: [
            { name: 'cache', emptyDir: {} },
            isSound() ? { name: 'settings', configMap: { name } } : { name: 'host', hostPath: { path: '/var/log' } },
          ],
        },
      },
    },
  };
}

function container(name: string, isSound: () => boolean): object {
  return {
    name,
    image: `registry.example.com/shop/${name}:1.4.2`,
    args: ['--listen=:8080', '--log=json'],
    ports: [{ name: 'http', containerPort: 8080 }],
    env: [{ name: 'TEAM', value: 'shop' }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: !isSound(),
      privileged: !isSound(),
      capabilities: { drop: [isSound() ? 'ALL' : 'NET_RAW'] },
    },
  };
}
