// A temporary Git repository with a denying policy, for one test.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Workspace {
  readonly folder: string;
  /** The checked-out commit. */
  readonly sha: string;
  remove(): void;
}

export function createWorkspace(files: Readonly<Record<string, string>>): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-workspace-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=manifests');
  return {
    folder,
    sha: git('rev-parse', 'HEAD').trim(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface PolicyTexts {
  readonly name?: string;
  readonly message?: string;
}

/** Denies ConfigMaps whose `data.size` is above 3. */
export function sizePolicy({ name = 'size-limit', message = 'size is at most 3' }: PolicyTexts = {}): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${JSON.stringify(name)}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups: [""]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [configmaps]
  validations:
    - expression: int(object.data.size) <= 3
      message: ${JSON.stringify(message)}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${JSON.stringify(`${name}-everywhere`)}
spec:
  policyName: ${JSON.stringify(name)}
  validationActions: [Deny]
`;
}

/** The value of `size` is on line 7 of each document. */
export function configMap(name: string, size: number): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${JSON.stringify(name)}
  namespace: default
data:
  size: "${size}"
`;
}

/** `denied` ConfigMaps above the limit and one below it, each in a separate file. */
export function repository(denied: number, texts?: PolicyTexts): Record<string, string> {
  const files: Record<string, string> = {
    'policies/size.yaml': sizePolicy(texts),
    'apps/good.yaml': configMap('good', 1),
  };
  for (let index = 0; index < denied; index++) {
    files[`apps/large-${String(index).padStart(3, '0')}.yaml`] = configMap(`large-${index}`, 9);
  }
  return files;
}
