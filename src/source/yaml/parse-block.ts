// Grammar rules for block sequences and mappings (libyaml `parserc`).
import { parseNode } from './parse-node.ts';
import { AFTER_KEY, type ParserState, type YamlState } from './parser-state.ts';
import type { YamlToken } from './token.ts';

export function parseBlockSequenceEntry(parser: ParserState, isFirst: boolean): void {
  if (isFirst) parser.enter();
  const token = parser.scanner.peek();
  if (token.kind === 'block-end') {
    parser.leave('sequence-end', token);
    return;
  }
  if (token.kind !== 'block-entry') {
    const context = 'while parsing a block collection';
    parser.fail("did not find expected '-' indicator", token, context, parser.starts.at(-1));
    return;
  }
  const next = parser.skip();
  if (next.kind === 'block-entry' || next.kind === 'block-end') {
    parser.state = 'block-sequence-entry';
    parser.emitEmpty(token.end, token.line);
  } else {
    parser.states.push('block-sequence-entry');
    parseNode(parser, true, false);
  }
  parser.event.dash = token.start;
}

export function parseIndentlessSequenceEntry(parser: ParserState): void {
  const token = parser.scanner.peek();
  if (token.kind !== 'block-entry') {
    parser.returnState();
    parser.emit('sequence-end', token);
    return;
  }
  const next = parser.skip();
  if (next.kind === 'block-entry' || next.kind === 'key' || next.kind === 'value' || next.kind === 'block-end') {
    parser.state = 'indentless-sequence-entry';
    parser.emitEmpty(token.end, token.line);
  } else {
    parser.states.push('indentless-sequence-entry');
    parseNode(parser, true, false);
  }
  parser.event.dash = token.start;
}

export function parseBlockMappingKey(parser: ParserState, isFirst: boolean): void {
  if (isFirst) parser.enter();
  const token = parser.scanner.peek();
  if (token.kind === 'block-end') {
    parser.leave('mapping-end', token);
    return;
  }
  if (token.kind !== 'key') {
    const context = 'while parsing a block mapping';
    parser.fail('did not find expected key', token, context, parser.starts.at(-1));
    return;
  }
  parseBlockMappingNode(parser, token, 'block-mapping-value');
}

export function parseBlockMappingValue(parser: ParserState): void {
  const token = parser.scanner.peek();
  if (token.kind === 'value') {
    parseBlockMappingNode(parser, token, 'block-mapping-key');
    return;
  }
  parser.state = 'block-mapping-key';
  parser.emitEmpty(AFTER_KEY, token.line);
}

/** Reads the node after a key or value indicator; the node may be empty. */
function parseBlockMappingNode(parser: ParserState, indicator: YamlToken, after: YamlState): void {
  const token = parser.skip();
  if (token.kind === 'key' || token.kind === 'value' || token.kind === 'block-end') {
    parser.state = after;
    parser.emitEmpty(indicator.end, indicator.line);
    return;
  }
  parser.states.push(after);
  parseNode(parser, true, true);
}
