// CEL.g4 as data, in ANTLR's form: left recursion is a first operand followed by a loop of operators.
import { Token } from '../token.ts';

export type Rule =
  | 'start'
  | 'expr'
  | 'conditionalOr'
  | 'conditionalAnd'
  | 'relation'
  | 'calc'
  | 'unary'
  | 'member'
  | 'primary'
  | 'exprList'
  | 'listInit'
  | 'fieldInitializerList'
  | 'optField'
  | 'mapInitializerList'
  | 'escapeIdent'
  | 'optExpr'
  | 'literal';

/**
 * `adaptive` decisions look ahead as far as necessary. Others look at one token, and treat an unexpected token as the
 * end of an optional part. ANTLR chooses between the two, and the messages depend on the choice.
 */
export type Element =
  | { readonly kind: 'token'; readonly types: readonly number[]; readonly label?: string }
  | { readonly kind: 'rule'; readonly rule: Rule; readonly precedence: number; readonly label?: string }
  | { readonly kind: 'optional'; readonly body: Sequence }
  | { readonly kind: 'star'; readonly body: Sequence; readonly adaptive: boolean }
  | { readonly kind: 'plus'; readonly body: Sequence; readonly adaptive: boolean }
  | { readonly kind: 'choice'; readonly alternatives: readonly Alternative[]; readonly adaptive: boolean };

export type Sequence = readonly Element[];

export interface Alternative {
  /** Name of the node if this alternative is chosen. */
  readonly name: string;
  readonly body: Sequence;
}

/** An operator that continues a left-recursive rule, if the surrounding precedence is not higher than its own. */
export interface OperatorAlternative extends Alternative {
  readonly precedence: number;
}

export type RuleBody =
  | { readonly kind: 'plain'; readonly body: Sequence }
  | {
      readonly kind: 'left-recursive';
      readonly operand: Alternative;
      readonly operators: readonly OperatorAlternative[];
    };

function token(type: number, label?: string): Element {
  return { kind: 'token', types: [type], ...(label && { label }) };
}

function oneOf(types: readonly number[], label: string): Element {
  return { kind: 'token', types, label };
}

function rule(name: Rule, label?: string, precedence = 0): Element {
  return { kind: 'rule', rule: name, precedence, ...(label && { label }) };
}

function optional(...body: Element[]): Element {
  return { kind: 'optional', body };
}

function plain(...body: Element[]): RuleBody {
  return { kind: 'plain', body };
}

const { LBRACKET, RBRACKET, LBRACE, RBRACE, LPAREN, RPAREN, DOT, COMMA, COLON, QUESTION, MINUS, IDENTIFIER } = Token;
const OPTIONAL_MARK = optional(token(QUESTION, 'opt'));
const LEADING_DOT = optional(token(DOT, 'leadingDot'));
const TRAILING_COMMA = optional(token(COMMA));
const SIGN = optional(token(MINUS, 'sign'));
const ARGUMENTS = [optional(rule('exprList', 'args')), token(RPAREN)];
const FIELD = [rule('optField', 'fields'), token(COLON, 'cols'), rule('expr', 'values')];
const ENTRY = [rule('optExpr', 'keys'), token(COLON, 'cols'), rule('expr', 'values')];

const PRIMARIES: readonly Alternative[] = [
  { name: 'Ident', body: [LEADING_DOT, token(IDENTIFIER, 'id')] },
  { name: 'GlobalCall', body: [LEADING_DOT, token(IDENTIFIER, 'id'), token(LPAREN, 'op'), ...ARGUMENTS] },
  { name: 'Nested', body: [token(LPAREN), rule('expr', 'e'), token(RPAREN)] },
  {
    name: 'CreateList',
    body: [token(LBRACKET, 'op'), optional(rule('listInit', 'elems')), TRAILING_COMMA, token(RBRACKET)],
  },
  {
    name: 'CreateStruct',
    body: [token(LBRACE, 'op'), optional(rule('mapInitializerList', 'entries')), TRAILING_COMMA, token(RBRACE)],
  },
  {
    name: 'CreateMessage',
    body: [
      LEADING_DOT,
      token(IDENTIFIER, 'ids'),
      { kind: 'star', body: [token(DOT, 'ops'), token(IDENTIFIER, 'ids')], adaptive: false },
      token(LBRACE, 'op'),
      optional(rule('fieldInitializerList', 'entries')),
      TRAILING_COMMA,
      token(RBRACE),
    ],
  },
  { name: 'ConstantLiteral', body: [rule('literal')] },
];

const LITERALS: readonly Alternative[] = [
  { name: 'Int', body: [SIGN, token(Token.INT, 'tok')] },
  { name: 'Uint', body: [token(Token.UINT, 'tok')] },
  { name: 'Double', body: [SIGN, token(Token.FLOAT, 'tok')] },
  { name: 'String', body: [token(Token.STRING, 'tok')] },
  { name: 'Bytes', body: [token(Token.BYTES, 'tok')] },
  { name: 'BoolTrue', body: [token(Token.TRUE, 'tok')] },
  { name: 'BoolFalse', body: [token(Token.FALSE, 'tok')] },
  { name: 'Null', body: [token(Token.NULL, 'tok')] },
];

const MEMBER_OPERATORS: readonly OperatorAlternative[] = [
  { name: 'Select', precedence: 3, body: [token(DOT, 'op'), OPTIONAL_MARK, rule('escapeIdent', 'id')] },
  {
    name: 'MemberCall',
    precedence: 2,
    body: [token(DOT, 'op'), token(IDENTIFIER, 'id'), token(LPAREN, 'open'), ...ARGUMENTS],
  },
  {
    name: 'Index',
    precedence: 1,
    body: [token(LBRACKET, 'op'), OPTIONAL_MARK, rule('expr', 'index'), token(RBRACKET)],
  },
];

export const GRAMMAR: ReadonlyMap<Rule, RuleBody> = new Map<Rule, RuleBody>([
  ['start', plain(rule('expr', 'e'), token(Token.EOF))],
  [
    'expr',
    plain(
      rule('conditionalOr', 'e'),
      optional(token(QUESTION, 'op'), rule('conditionalOr', 'e1'), token(COLON), rule('expr', 'e2')),
    ),
  ],
  [
    'conditionalOr',
    plain(rule('conditionalAnd', 'e'), {
      kind: 'star',
      body: [token(Token.LOGICAL_OR, 'ops'), rule('conditionalAnd', 'e1')],
      adaptive: false,
    }),
  ],
  [
    'conditionalAnd',
    plain(rule('relation', 'e'), {
      kind: 'star',
      body: [token(Token.LOGICAL_AND, 'ops'), rule('relation', 'e1')],
      adaptive: false,
    }),
  ],
  [
    'relation',
    {
      kind: 'left-recursive',
      operand: { name: 'Relation', body: [rule('calc')] },
      operators: [
        { name: 'Relation', precedence: 1, body: [oneOf([1, 2, 3, 4, 5, 6, 7], 'op'), rule('relation', '', 2)] },
      ],
    },
  ],
  [
    'calc',
    {
      kind: 'left-recursive',
      operand: { name: 'Calc', body: [rule('unary')] },
      operators: [
        {
          name: 'Calc',
          precedence: 2,
          body: [oneOf([Token.STAR, Token.SLASH, Token.PERCENT], 'op'), rule('calc', '', 3)],
        },
        { name: 'Calc', precedence: 1, body: [oneOf([Token.MINUS, Token.PLUS], 'op'), rule('calc', '', 2)] },
      ],
    },
  ],
  [
    'unary',
    plain({
      kind: 'choice',
      adaptive: true,
      alternatives: [
        { name: 'MemberExpr', body: [rule('member')] },
        {
          name: 'LogicalNot',
          body: [{ kind: 'plus', body: [token(Token.EXCLAM, 'ops')], adaptive: false }, rule('member')],
        },
        { name: 'Negate', body: [{ kind: 'plus', body: [token(MINUS, 'ops')], adaptive: true }, rule('member')] },
      ],
    }),
  ],
  [
    'member',
    { kind: 'left-recursive', operand: { name: 'PrimaryExpr', body: [rule('primary')] }, operators: MEMBER_OPERATORS },
  ],
  ['primary', plain({ kind: 'choice', alternatives: PRIMARIES, adaptive: true })],
  ['exprList', plain(rule('expr', 'e'), { kind: 'star', body: [token(COMMA), rule('expr', 'e')], adaptive: false })],
  [
    'listInit',
    plain(rule('optExpr', 'elems'), { kind: 'star', body: [token(COMMA), rule('optExpr', 'elems')], adaptive: true }),
  ],
  ['fieldInitializerList', plain(...FIELD, { kind: 'star', body: [token(COMMA), ...FIELD], adaptive: true })],
  ['optField', plain(OPTIONAL_MARK, rule('escapeIdent'))],
  ['mapInitializerList', plain(...ENTRY, { kind: 'star', body: [token(COMMA), ...ENTRY], adaptive: true })],
  [
    'escapeIdent',
    plain({
      kind: 'choice',
      adaptive: false,
      alternatives: [
        { name: 'SimpleIdentifier', body: [token(IDENTIFIER, 'id')] },
        { name: 'EscapedIdentifier', body: [token(Token.ESCAPED_IDENTIFIER, 'id')] },
      ],
    }),
  ],
  ['optExpr', plain(OPTIONAL_MARK, rule('expr', 'e'))],
  ['literal', plain({ kind: 'choice', alternatives: LITERALS, adaptive: true })],
]);
