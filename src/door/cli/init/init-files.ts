// Texts of the files that `preadmit init` proposes.
import type { FetchKind } from '../../../settings/configuration-shape.ts';
import type { RepositoryFacts } from './repository-facts.ts';

const SCHEMA = 'https://raw.githubusercontent.com/preadmit/preadmit/main/docs/schema/preadmit.schema.json';

const MAX_CATALOGUES = 5;

/** Only settings that differ from the defaults; undefined if there are none. */
export function proposedConfiguration(
  { counts, versions, catalogues }: RepositoryFacts,
  fetch: readonly FetchKind[] = [],
): string | undefined {
  const lines: string[] = [];
  const [version, ...others] = versions;
  if (version !== undefined && others.length === 0) {
    const [release, [file]] = version;
    lines.push(`# From ${commentText(file ?? '')}.`, `kubernetesVersion: "${release}"`);
  }
  if (counts.has('Argo CD') && !counts.has('Flux')) {
    lines.push(
      '# Argo CD applies this repository, so policies see this user in the request.',
      'user:',
      '  username: system:serviceaccount:argocd:argocd-application-controller',
    );
  }
  if (fetch.length > 0) {
    lines.push(
      '# What is downloaded if the repository names it but does not contain it.',
      `fetch: [${fetch.join(', ')}]`,
    );
  }
  if (catalogues.size > 0) {
    lines.push(
      '# Where the comments of the files find schemas of custom kinds. Only `--fetch-schemas` downloads them.',
      'schemas:',
    );
    for (const location of [...catalogues.keys()].slice(0, MAX_CATALOGUES))
      lines.push(`  - ${JSON.stringify(location)}`);
  }
  return lines.length === 0 ? undefined : `# yaml-language-server: $schema=${SCHEMA}\n${lines.join('\n')}\n`;
}

/** Escapes a file name for a YAML comment: a line break would end the comment. */
function commentText(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u007f-\u009f\u2028\u2029\u0085]/g, '?');
}

/** `hasAudit`: another workflow audits the repository, so this one has no schedule. */
export function proposedWorkflow(branch: string, hasAudit = false): string {
  const schedule = "  schedule:\n    - cron: '17 5 * * 1'\n";
  return `name: Admission policies

on:
  pull_request:
  merge_group:
  push:
    branches: [${branch}]
${hasAudit ? '' : schedule}
permissions: {}

jobs:
  preadmit:
    name: Admission policies
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
      checks: write
    steps:
      - uses: actions/checkout@v7
        with:
          persist-credentials: false
      - uses: preadmit/preadmit@v0 # not released yet: name a fork, at a commit
`;
}

/** The audit fails when a finding denies; the page is published all the same. */
export function proposedAudit(what: 'issue' | 'page'): string {
  const isPage = what === 'page';
  return `name: Admission audit

on:
  schedule:
    - cron: '23 4 * * *'
  workflow_dispatch:

permissions: {}

# A second run waits, so that the last page and issue are those of the last audit.
concurrency:
  group: preadmit-audit

jobs:
  audit:
    name: Audit
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      contents: write # the history, in the branch preadmit-audit
      issues: write
${isPage ? PAGE_PERMISSION : ''}    steps:
      - uses: actions/checkout@v7
        with:
          persist-credentials: false
${isPage ? PAGES_ADDRESS : ''}      - uses: preadmit/preadmit@v0 # not released yet: name a fork, at a commit
        with:
          check-run: never
          audit-issue: true
          history: branch:preadmit-audit
${isPage ? PAGE_STEPS : ''}`;
}

const PAGE_PERMISSION = `      pages: read
    outputs:
      page: \${{ steps.upload.outcome }}
`;

// Fails if GitHub Pages is off. The audit, its history and its issue need no page.
const PAGES_ADDRESS = `      # Once, in Settings > Pages: set Source to "GitHub Actions".
      - id: pages
        uses: actions/configure-pages@v5
        continue-on-error: true
`;

const PAGE_STEPS = `          site: _site
          site-url: \${{ steps.pages.outputs.base_url }}
      - id: upload
        if: \${{ !cancelled() && steps.pages.outcome == 'success' && hashFiles('_site/index.html') != '' }}
        uses: actions/upload-pages-artifact@v4
        with:
          path: _site

  # GitHub Pages may be public even if the repository is private: see the settings of the repository.
  page:
    name: Page
    needs: audit
    if: \${{ !cancelled() && needs.audit.outputs.page == 'success' }}
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      pages: write
      id-token: write
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    steps:
      - id: deployment
        uses: actions/deploy-pages@v4
`;

export function proposedHooks(version: string): string {
  return `repos:
  - repo: https://github.com/preadmit/preadmit
    rev: v${version} # not released yet: name a fork and a commit
    hooks: [{id: preadmit}]
`;
}

/** Adds days to a date; both dates have the format `2026-11-21`. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
