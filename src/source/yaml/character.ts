// The character classes of libyaml, for texts that contain only characters permitted in YAML.

export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const BYTE_ORDER_MARK = 0xfeff;

/** `is_z`: the end of the text, marked by NUL, which YAML permits nowhere else. */
export const END = 0;

/** `is_break`: CR, LF, NEL, LS, PS. */
export function isBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN || code === 0x85 || code === 0x2028 || code === 0x2029;
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

export function isBreakOrEnd(code: number): boolean {
  return isBreak(code) || code === END;
}

/** `is_blankz`. Below the space YAML permits only tab, CR and LF, so the comparison covers these and the end. */
export function isBlankOrEnd(code: number): boolean {
  return code <= SPACE || code === 0x85 || code === 0x2028 || code === 0x2029;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `is_alpha`: ASCII letters, digits, `_` and `-`. */
export function isWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    isDigit(code) ||
    code === 0x5f /* _ */ ||
    code === 0x2d /* - */
  );
}

/** Value of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - 0x30;
  if (code >= 0x41 && code <= 0x46) return code - 0x41 + 10;
  if (code >= 0x61 && code <= 0x66) return code - 0x61 + 10;
  return -1;
}
