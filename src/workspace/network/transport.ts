// The interface for network requests: one https request within limits, and its response.

export interface TransportRequest {
  /** Absolute https URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Limit for the body. */
  readonly maximumBytes: number;
  /** Limit for the whole request. */
  readonly milliseconds: number;
  /** The host may have a private address. */
  readonly allowsPrivate: boolean;
}

export interface TransportResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty unless the status is a success; other bodies are not read. */
  readonly body: Uint8Array;
}

/** Rejects with a TransportError on failure. Redirects are not followed. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** `refused`: the host denies access. `proxy`: the proxy does. */
export type TransportProblem = 'private' | 'timeout' | 'too-large' | 'unreachable' | 'refused' | 'proxy';

export class TransportError extends Error {
  readonly problem: TransportProblem;
  /** Error code of the system, such as ECONNREFUSED. */
  readonly systemCode: string | undefined;
  /** How to fix it, in one sentence. */
  readonly help: string | undefined;

  constructor(message: string, problem: TransportProblem = 'unreachable', systemCode?: string, help?: string) {
    super(message);
    this.name = 'TransportError';
    this.problem = problem;
    this.systemCode = systemCode;
    this.help = help;
  }
}
