// The numbers of one repository in a joined report.

/** One repository of a joined report, with the numbers of its own verdict. */
export interface RepositorySummary {
  readonly name: string;
  /** `missing`: the repository was expected, and there is no report. */
  readonly conclusion: 'allowed' | 'denied' | 'undecided' | 'nothing-checked' | 'missing';
  /** Version of Preadmit that wrote its report. */
  readonly preadmit?: string;
  readonly evaluated: number;
  readonly denied: number;
  readonly warned: number;
  readonly audited: number;
  readonly errors: number;
  /** Rules, objects, render targets and documents without a judgement. */
  readonly unjudged: number;
  /** Path of a configuration or baseline with errors. */
  readonly unusable?: string;
}
