// What is asked of the network, and what comes back: one request, by https, within limits.

export interface TransportRequest {
  /** Absolute, by https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body. */
  readonly maximumBytes: number;
  /** Of the whole request. */
  readonly milliseconds: number;
  /** Its host may have an address that is not public. */
  readonly allowsPrivate: boolean;
}

export interface TransportResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty unless the status says that all is well: nothing else is read. */
  readonly body: Uint8Array;
}

/** Rejects with a TransportError for what fails; redirects are not followed. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

type TransportProblem = 'private' | 'timeout' | 'too-large' | 'unreachable';

export class TransportError extends Error {
  readonly problem: TransportProblem;
  /** What the system says of it, such as ECONNREFUSED. */
  readonly systemCode: string | undefined;

  constructor(message: string, problem: TransportProblem = 'unreachable', systemCode?: string) {
    super(message);
    this.name = 'TransportError';
    this.problem = problem;
    this.systemCode = systemCode;
  }
}
