// Reads a node with its anchor and tag (libyaml `yaml_parser_parse_node`).
import type { ParserState } from './parser-state.ts';
import type { ScannedScalar, YamlToken } from './token.ts';

/** Reads a node with its properties. `mayBeIndentless`: a sequence may start at the indentation of the mapping around it. */
export function parseNode(parser: ParserState, inBlock: boolean, mayBeIndentless: boolean): void {
  const scanner = parser.scanner;
  let token = scanner.peek();
  const event = parser.event;
  if (token.kind === 'alias') {
    parser.returnState();
    parser.emit('alias', token);
    event.anchor = token.text;
    scanner.skip();
    return;
  }
  const { start, line } = token;
  let end = start;
  let anchor = '';
  let tagToken: YamlToken | undefined;
  for (let count = 0; count < 2; count++) {
    if (token.kind === 'anchor' && anchor === '') anchor = token.text;
    else if (token.kind === 'tag' && tagToken === undefined) tagToken = token;
    else break;
    end = token.end;
    token = parser.skip();
  }
  const tag = tagToken === undefined ? '' : expandTag(parser, tagToken);
  if (tag === undefined) {
    parser.fail('found undefined tag handle', tagToken as YamlToken, 'while parsing a node', start);
    return;
  }
  event.anchor = anchor;
  event.tag = tag;
  event.line = line;
  event.implicit = tag === '';
  switch (token.kind) {
    case 'block-entry':
      if (!mayBeIndentless) break;
      parser.state = 'indentless-sequence-entry';
      parser.emitStart('sequence-start', token, false);
      return;
    case 'scalar': {
      const scalar = token.scalar as ScannedScalar;
      parser.returnState();
      event.kind = 'scalar';
      event.start = token.start;
      event.end = token.end;
      event.scalar = scalar;
      event.implicit = tag === '' ? scalar.style === 'plain' : tag === '!';
      scanner.skip();
      return;
    }
    case 'flow-sequence-start':
      parser.state = 'flow-sequence-first-entry';
      parser.emitStart('sequence-start', token, true);
      return;
    case 'flow-mapping-start':
      parser.state = 'flow-mapping-first-key';
      parser.emitStart('mapping-start', token, true);
      return;
    case 'block-sequence-start':
      if (!inBlock) break;
      parser.state = 'block-sequence-first-entry';
      parser.emitStart('sequence-start', token, false);
      return;
    case 'block-mapping-start':
      if (!inBlock) break;
      parser.state = 'block-mapping-first-key';
      parser.emitStart('mapping-start', token, false);
      return;
    default:
      break;
  }
  if (anchor !== '' || tag !== '') {
    parser.returnState();
    event.kind = 'scalar';
    event.start = start;
    event.end = end;
    event.scalar = undefined;
    return;
  }
  const context = inBlock ? 'while parsing a block node' : 'while parsing a flow node';
  parser.fail('did not find expected node content', token, context, start);
}

/** Undefined if the tag's handle is not declared. */
function expandTag(parser: ParserState, token: YamlToken): string | undefined {
  if (token.text === '') return token.suffix;
  const prefix = parser.tagPrefixes.get(token.text);
  return prefix === undefined || prefix + token.suffix === '' ? undefined : prefix + token.suffix;
}
