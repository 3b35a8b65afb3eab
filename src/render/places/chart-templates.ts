// The templates of charts rendered together: finds the document behind an object, and the definitions that templates include.

import type { JsonValue } from '../../source/json/json.ts';
import { joinPaths } from '../../source/text/repository-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { ChartFolder } from './chart-values.ts';
import type { Definitions } from './template-field.ts';
import { readTemplate, type TemplateFile, type TemplatePart } from './template-lines.ts';
import { objectIdentity, type WrittenFiles } from './written.ts';

const MAXIMUM_FILES = 1000;
const MAXIMUM_DEPTH = 5;

export class ChartTemplates {
  readonly charts: readonly ChartFolder[];
  readonly #tree: FileTree;
  readonly #files: WrittenFiles;
  readonly #read = new Map<string, TemplateFile | undefined>();
  #definitions: Definitions | undefined;

  constructor(charts: readonly ChartFolder[], tree: FileTree, files: WrittenFiles) {
    this.charts = charts;
    this.#tree = tree;
    this.#files = files;
  }

  fileOf(template: string): { readonly chart: ChartFolder; readonly path: string } | undefined {
    let chart: ChartFolder | undefined;
    for (const each of this.charts) {
      if (template.startsWith(`${each.name}/`) && each.name.length > (chart?.name.length ?? 0)) chart = each;
    }
    return chart && { chart, path: joinPaths(chart.folder, template.slice(chart.name.length + 1)) };
  }

  /** The template document that renders an object. `ordinal`: its number among objects of its kind in the template. */
  document(path: string, object: JsonValue, ordinal: number): TemplatePart | undefined {
    const documents = this.#template(path)?.documents.filter(({ tokens }) => tokens.length > 0) ?? [];
    const { kind, name } = objectIdentity(object);
    const ofKind = documents.filter((document) => {
      const written = topLevel(document, 'kind');
      return written === kind || written === undefined || written.includes('{{');
    });
    const named = ofKind.find(
      (document) =>
        topLevel(document, 'kind') === kind &&
        document.tokens.some((token) => token.name === 'name' && token.rest === name),
    );
    return named ?? ofKind[Math.min(ordinal, ofKind.length - 1)];
  }

  definitions(): Definitions {
    if (this.#definitions !== undefined) return this.#definitions;
    const definitions = new Map<string, TemplatePart>();
    let left = MAXIMUM_FILES;
    const visit = (folder: string, depth: number): void => {
      for (const name of [...this.#tree.list(folder)].sort()) {
        const path = joinPaths(folder, name);
        if (left <= 0) return;
        if (this.#tree.kind(path) === 'folder' && depth < MAXIMUM_DEPTH) visit(path, depth + 1);
        else if (/\.(?:tpl|ya?ml|txt)$/.test(name)) {
          left -= 1;
          for (const [key, part] of this.#template(path)?.definitions ?? []) definitions.set(key, part);
        }
      }
    };
    // Templates of the outermost chart win.
    for (const { folder } of [...this.charts].reverse()) visit(joinPaths(folder, 'templates'), 0);
    this.#definitions = definitions;
    return definitions;
  }

  #template(path: string): TemplateFile | undefined {
    if (this.#read.has(path)) return this.#read.get(path);
    const file = this.#files.file(path);
    const template = file && readTemplate(file);
    this.#read.set(path, template);
    return template;
  }
}

function topLevel({ tokens }: TemplatePart, name: string): string | undefined {
  const token = tokens.find((each) => each.kind === 'key' && each.name === name);
  return token?.rest.replace(/^["']|["']$/g, '');
}
