// Matches names against shell patterns like Go's `path.Match`: `*`, `?`, `[a-z]`, `\`.

type Element = { readonly star: true } | { readonly star?: undefined; matches(codePoint: string): boolean };

/** Compiles a pattern; undefined if it is malformed, which is an error in Go. */
export function shellPattern(pattern: string, options: ShellPatternOptions): ((name: string) => boolean) | undefined {
  const elements = parse([...pattern], options.slash);
  return elements === undefined ? undefined : (name) => matches(elements, [...name], options.slash);
}

export interface ShellPatternOptions {
  /** `kept`: `*` and `?` do not match a slash, as in `path.Match`. `crossed`: a slash is an ordinary character. */
  readonly slash: 'kept' | 'crossed';
}

function parse(pattern: readonly string[], slash: ShellPatternOptions['slash']): readonly Element[] | undefined {
  const elements: Element[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === '*') {
      if (elements.at(-1)?.star !== true) elements.push({ star: true });
    } else if (character === '?') {
      elements.push({ matches: (other) => slash === 'crossed' || other !== '/' });
    } else if (character === '[') {
      const parsed = parseClass(pattern, i + 1);
      if (parsed === undefined) return undefined;
      elements.push({ matches: parsed.matches });
      i = parsed.end;
    } else {
      const literal = character === '\\' ? pattern[++i] : character;
      if (literal === undefined) return undefined;
      elements.push({ matches: (other) => other === literal });
    }
  }
  return elements;
}

/** `start` is after the opening bracket, `end` is the closing one. */
function parseClass(
  pattern: readonly string[],
  start: number,
): { readonly matches: (codePoint: string) => boolean; readonly end: number } | undefined {
  const ranges: (readonly [low: number, high: number])[] = [];
  const isNegated = pattern[start] === '^';
  let i = isNegated ? start + 1 : start;
  const bound = (): number | undefined => {
    if (pattern[i] === '-' || pattern[i] === ']') return undefined;
    if (pattern[i] === '\\') i++;
    return pattern[i++]?.codePointAt(0);
  };
  while (pattern[i] !== ']' || ranges.length === 0) {
    const low = bound();
    if (low === undefined) return undefined;
    let high: number | undefined = low;
    if (pattern[i] === '-') {
      i++;
      high = bound();
    }
    if (high === undefined || i >= pattern.length) return undefined;
    ranges.push([low, high]);
  }
  const holds = (code: number): boolean => ranges.some(([low, high]) => low <= code && code <= high);
  return { matches: (codePoint) => holds(codePoint.codePointAt(0) ?? 0) !== isNegated, end: i };
}

/** Backtracks only to the last star, so the time is at most the product of both lengths. */
function matches(elements: readonly Element[], name: readonly string[], slash: ShellPatternOptions['slash']): boolean {
  let element = 0;
  let at = 0;
  let star = -1;
  let retry = 0;
  while (at < name.length) {
    const current = elements[element];
    if (current?.star === true) {
      star = element++;
      retry = at;
    } else if (current?.matches(name[at] as string) === true) {
      element++;
      at++;
    } else if (star >= 0 && (slash === 'crossed' || name[retry] !== '/')) {
      element = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  while (elements[element]?.star === true) element++;
  return element === elements.length;
}
