// Grammar rules for flow sequences and mappings (libyaml `parserc`).
import { parseNode } from './parse-node.ts';
import { AFTER_KEY, type ParserState } from './parser-state.ts';

export function parseFlowSequenceEntry(parser: ParserState, isFirst: boolean): void {
  if (isFirst) parser.enter();
  let token = parser.scanner.peek();
  if (token.kind !== 'flow-sequence-end') {
    if (!isFirst) {
      if (token.kind !== 'flow-entry') {
        const context = 'while parsing a flow sequence';
        parser.fail("did not find expected ',' or ']'", token, context, parser.starts.at(-1));
        return;
      }
      token = parser.skip();
    }
    if (token.kind === 'key') {
      parser.state = 'flow-sequence-entry-mapping-key';
      const event = parser.event;
      event.anchor = '';
      event.line = token.line;
      parser.emitStart('mapping-start', token, true);
      parser.scanner.skip();
      return;
    }
    if (token.kind !== 'flow-sequence-end') {
      parser.states.push('flow-sequence-entry');
      parseNode(parser, false, false);
      return;
    }
  }
  parser.leave('sequence-end', token);
}

export function parseFlowSequenceEntryMappingKey(parser: ParserState): void {
  const token = parser.scanner.peek();
  if (token.kind !== 'value' && token.kind !== 'flow-entry' && token.kind !== 'flow-sequence-end') {
    parser.states.push('flow-sequence-entry-mapping-value');
    parseNode(parser, false, false);
    return;
  }
  // go-yaml drops this token without checking it, so `[? , a]` does not parse.
  parser.scanner.skip();
  parser.state = 'flow-sequence-entry-mapping-value';
  parser.emitEmpty(token.end, token.line);
}

export function parseFlowSequenceEntryMappingValue(parser: ParserState): void {
  const { kind, end, line } = parser.scanner.peek();
  if (kind === 'value') {
    const token = parser.skip();
    if (token.kind !== 'flow-entry' && token.kind !== 'flow-sequence-end') {
      parser.states.push('flow-sequence-entry-mapping-end');
      parseNode(parser, false, false);
      return;
    }
  }
  parser.state = 'flow-sequence-entry-mapping-end';
  parser.emitEmpty(kind === 'value' ? end : AFTER_KEY, line);
}

export function parseFlowSequenceEntryMappingEnd(parser: ParserState): void {
  parser.state = 'flow-sequence-entry';
  const { start, line } = parser.scanner.peek();
  const event = parser.event;
  event.kind = 'mapping-end';
  event.start = start;
  event.end = start;
  event.line = line;
  // A single-pair mapping has no braces; it ends with its value.
  event.flow = false;
}

export function parseFlowMappingKey(parser: ParserState, isFirst: boolean): void {
  if (isFirst) parser.enter();
  let token = parser.scanner.peek();
  if (token.kind !== 'flow-mapping-end') {
    if (!isFirst) {
      if (token.kind !== 'flow-entry') {
        const context = 'while parsing a flow mapping';
        parser.fail("did not find expected ',' or '}'", token, context, parser.starts.at(-1));
        return;
      }
      token = parser.skip();
    }
    if (token.kind === 'key') {
      token = parser.skip();
      if (token.kind === 'value' || token.kind === 'flow-entry' || token.kind === 'flow-mapping-end') {
        parser.state = 'flow-mapping-value';
        parser.emitEmpty(token.start, token.line);
        return;
      }
      parser.states.push('flow-mapping-value');
      parseNode(parser, false, false);
      return;
    }
    if (token.kind !== 'flow-mapping-end') {
      parser.states.push('flow-mapping-empty-value');
      parseNode(parser, false, false);
      return;
    }
  }
  parser.leave('mapping-end', token);
}

export function parseFlowMappingValue(parser: ParserState, isAbsent: boolean): void {
  let token = parser.scanner.peek();
  let position = AFTER_KEY;
  if (!isAbsent && token.kind === 'value') {
    position = token.end;
    token = parser.skip();
    if (token.kind !== 'flow-entry' && token.kind !== 'flow-mapping-end') {
      parser.states.push('flow-mapping-key');
      parseNode(parser, false, false);
      return;
    }
  }
  parser.state = 'flow-mapping-key';
  parser.emitEmpty(position, token.line);
}
