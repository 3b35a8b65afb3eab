// Turns tokens into events (libyaml `parserc`, as ported in go-yaml v2).
import type { YamlProblem } from './cursor.ts';
import {
  parseBlockMappingKey,
  parseBlockMappingValue,
  parseBlockSequenceEntry,
  parseIndentlessSequenceEntry,
} from './parse-block.ts';
import {
  parseFlowMappingKey,
  parseFlowMappingValue,
  parseFlowSequenceEntry,
  parseFlowSequenceEntryMappingEnd,
  parseFlowSequenceEntryMappingKey,
  parseFlowSequenceEntryMappingValue,
} from './parse-flow.ts';
import { parseNode } from './parse-node.ts';
import { type Event, ParserState, type YamlState } from './parser-state.ts';
import type { Scanner } from './scanner.ts';

/** Tag handles that need no `%TAG` directive. */
const DEFAULT_TAG_PREFIXES: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

export class Parser {
  readonly #state: ParserState;

  constructor(scanner: Scanner) {
    this.#state = new ParserState(scanner);
    scanner.peek();
    scanner.skip();
  }

  get problem(): YamlProblem | undefined {
    return this.#state.problem;
  }

  /** Returns the next event, always in the same object. Reads only the first document of the text. */
  next(): Event {
    const { event } = this.#state;
    event.dash = -1;
    RULES[this.#state.state](this.#state);
    if (this.#state.problem !== undefined) event.kind = 'problem';
    return event;
  }
}

const RULES: Readonly<Record<YamlState, (parser: ParserState) => void>> = {
  'document-start': parseDocumentStart,
  'document-content': parseDocumentContent,
  'document-end': parseDocumentEnd,
  'block-node': (parser) => parseNode(parser, true, false),
  'block-sequence-first-entry': (parser) => parseBlockSequenceEntry(parser, true),
  'block-sequence-entry': (parser) => parseBlockSequenceEntry(parser, false),
  'indentless-sequence-entry': parseIndentlessSequenceEntry,
  'block-mapping-first-key': (parser) => parseBlockMappingKey(parser, true),
  'block-mapping-key': (parser) => parseBlockMappingKey(parser, false),
  'block-mapping-value': parseBlockMappingValue,
  'flow-sequence-first-entry': (parser) => parseFlowSequenceEntry(parser, true),
  'flow-sequence-entry': (parser) => parseFlowSequenceEntry(parser, false),
  'flow-sequence-entry-mapping-key': parseFlowSequenceEntryMappingKey,
  'flow-sequence-entry-mapping-value': parseFlowSequenceEntryMappingValue,
  'flow-sequence-entry-mapping-end': parseFlowSequenceEntryMappingEnd,
  'flow-mapping-first-key': (parser) => parseFlowMappingKey(parser, true),
  'flow-mapping-key': (parser) => parseFlowMappingKey(parser, false),
  'flow-mapping-value': (parser) => parseFlowMappingValue(parser, false),
  'flow-mapping-empty-value': (parser) => parseFlowMappingValue(parser, true),
  end: (parser) => parser.emit('stream-end', parser.scanner.peek()),
};

function parseDocumentStart(parser: ParserState): void {
  const scanner = parser.scanner;
  let token = scanner.peek();
  if (token.kind === 'stream-end') {
    parser.state = 'end';
    parser.emit('stream-end', token);
    return;
  }
  const isDirective = token.kind === 'version-directive' || token.kind === 'tag-directive';
  const isImplicit = !isDirective && token.kind !== 'document-start';
  if (!processDirectives(parser)) return;
  parser.states.push('document-end');
  parser.emit('document-start', token);
  if (isImplicit) {
    parser.state = 'block-node';
    return;
  }
  token = scanner.peek();
  if (token.kind !== 'document-start') {
    parser.fail('did not find expected <document start>', token);
    return;
  }
  parser.state = 'document-content';
  scanner.skip();
}

function parseDocumentContent(parser: ParserState): void {
  const token = parser.scanner.peek();
  switch (token.kind) {
    case 'version-directive':
    case 'tag-directive':
    case 'document-start':
    case 'document-end':
    case 'stream-end':
      parser.returnState();
      parser.emitEmpty(token.start, token.line);
      return;
    default:
      parseNode(parser, true, false);
      return;
  }
}

function parseDocumentEnd(parser: ParserState): void {
  const token = parser.scanner.peek();
  if (token.kind === 'document-end') parser.scanner.skip();
  parser.state = 'end';
  parser.emit('document-end', token);
}

function processDirectives(parser: ParserState): boolean {
  let hasVersion = false;
  let token = parser.scanner.peek();
  for (; token.kind === 'version-directive' || token.kind === 'tag-directive'; token = parser.skip()) {
    if (token.kind === 'tag-directive') {
      if (parser.tagPrefixes.has(token.text)) parser.fail('found duplicate %TAG directive', token);
      parser.tagPrefixes.set(token.text, token.suffix);
    } else {
      if (hasVersion) parser.fail('found duplicate %YAML directive', token);
      else if (token.text !== '1.1') parser.fail('found incompatible YAML document', token);
      hasVersion = true;
    }
    if (parser.problem !== undefined) return false;
  }
  for (const [handle, prefix] of DEFAULT_TAG_PREFIXES) {
    if (!parser.tagPrefixes.has(handle)) parser.tagPrefixes.set(handle, prefix);
  }
  return true;
}
