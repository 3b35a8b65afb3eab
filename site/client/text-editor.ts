// A YAML editor in a shadow tree, where its styles need no exception in the page's security policy.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Told } from './answer.ts';

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
  { tag: [tags.keyword, tags.atom, tags.bool, tags.number], color: 'var(--notice)' },
  { tag: [tags.meta, tags.separator, tags.punctuation], color: 'var(--muted)' },
]);

const LOOK = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--ground)', fontSize: '13px', height: '100%' },
  '&.cm-focused': { outline: '3px solid var(--link)', outlineOffset: '-3px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--active)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { backgroundColor: 'var(--selection)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--mark)' },
  '.cm-lintRange': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy 1.5px',
    textUnderlineOffset: '3px',
    paddingBottom: '0',
  },
  '.cm-lintRange-error': { textDecorationColor: 'var(--error)', backgroundColor: 'var(--error-ground)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warning)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--notice)' },
  '.cm-lint-marker': { width: '0.8em', height: '0.8em', borderRadius: '50%', content: '""', margin: '0.35em 0.1em 0' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--error)', content: '""' },
  '.cm-lint-marker-warning': { backgroundColor: 'var(--warning)', content: '""', borderRadius: '2px' },
  '.cm-lint-marker-info': { backgroundColor: 'var(--notice)', content: '""' },
  '.cm-lintPoint': { position: 'relative' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
  },
  '.cm-diagnostic': { padding: '4px 8px', maxWidth: 'min(40rem, 85vw)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--error)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--notice)' },
  '.cm-textfield, .cm-button': {
    color: 'var(--text)',
    backgroundColor: 'var(--ground)',
    backgroundImage: 'none',
    border: '1px solid var(--muted)',
  },
});

export class TextEditor {
  readonly #view: EditorView;

  /** `changed` is called for edits of the user, but not for `setText`. */
  constructor(host: HTMLElement, label: string, changed: () => void) {
    const root = host.attachShadow({ mode: 'open' });
    let isOurs = false;
    this.#isOurs = (is) => {
      isOurs = is;
    };
    this.#view = new EditorView({
      root,
      parent: root,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        yaml(),
        syntaxHighlighting(COLOURS),
        LOOK,
        // Tab leaves the editor, as in the rest of the page.
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({
          'aria-label': label,
          tabindex: '0',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged && !isOurs) changed();
        }),
      ],
    });
  }

  readonly #isOurs: (is: boolean) => void;

  get text(): string {
    return this.#view.state.doc.toString();
  }

  setText(text: string): void {
    this.#isOurs(true);
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      selection: { anchor: 0 },
    });
    this.#isOurs(false);
  }

  show(told: readonly Told[]): void {
    const { doc } = this.#view.state;
    const marks = told.flatMap((each) => markOf(each, doc)).sort((one, other) => one.from - other.from);
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** For an editor that was created while hidden. */
  measure(): void {
    this.#view.requestMeasure();
  }

  /** Moves the cursor and scrolls to the line. */
  goTo(line: number, column: number): void {
    const at = offsetOf(this.#view.state.doc, line, column);
    this.#view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.#view.focus();
  }
}

const LEVELS = { error: 'error', warning: 'warning', notice: 'info' } as const;

function markOf({ severity, message, detail, place }: Told, doc: Text): readonly Diagnostic[] {
  if (place === undefined) return [];
  const from = offsetOf(doc, place.startLine, place.startColumn);
  const to = Math.max(from, offsetOf(doc, place.endLine, place.endColumn));
  // Underlines only the first line of a multi-line range.
  const end = Math.min(to, doc.lineAt(from).to);
  return [{ from, to: end, severity: LEVELS[severity], message, source: detail }];
}

/** Lines and columns are 1-based, columns in code points. Positions beyond the text map to its end. */
function offsetOf(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(Math.max(1, line));
  return from + [...text].slice(0, column - 1).join('').length;
}
