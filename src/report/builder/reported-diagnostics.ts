// Converts diagnostics and locations to report form, deterministically.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { secretTextsOf } from '../../kubernetes/secret/resource-secrets.ts';
import { withoutSecrets } from '../../kubernetes/secret/secret-object.ts';
import { shownMessage } from '../../kubernetes/secret/shown-lines.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import { formatFieldPath } from '../../source/node/field-path.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { resourceName } from '../finding/finding.ts';
import { lineFix } from '../location/line-fix.ts';
import { LineHashes } from '../location/line-hash.ts';
import { placeOf } from '../location/place.ts';
import type { Owners } from '../owner/owners.ts';
import type { LineFix, Place, ReportedDiagnostic } from '../report.ts';

/** Budget in characters of files, counted once per fix. Beyond it, diagnostics have no fix. */
const MAX_FIX_WORK = 10_000_000;

const NO_SECRETS: ReadonlySet<string> = new Set();

export class ReportedDiagnostics {
  readonly #lineHashes = new LineHashes();
  readonly #owners: Owners;
  #fixWork = MAX_FIX_WORK;

  constructor(owners: Owners) {
    this.#owners = owners;
  }

  of(diagnostic: Diagnostic | ObjectDiagnostic): ReportedDiagnostic {
    const {
      code,
      severity,
      message,
      primary,
      related,
      help,
      field,
      subject,
      part,
      policy,
      concerns,
      removedIn,
      cause,
      serverMessage,
    } = diagnostic;
    const secrets = 'resource' in diagnostic ? secretTextsOf(diagnostic.resource) : NO_SECRETS;
    const shown = (text: string): string => withoutSecrets(shownMessage(text, primary?.file), secrets);
    const fix = this.#fixOf(diagnostic);
    const resource = 'resource' in diagnostic ? diagnostic.resource : undefined;
    const owners = this.#owners.of(primary?.file.path, resource);
    return {
      code,
      severity,
      message: shown(message),
      ...('resource' in diagnostic && { resource: resourceName(diagnostic.resource, diagnostic.namespace) }),
      ...('operation' in diagnostic && diagnostic.operation && { operation: diagnostic.operation }),
      ...(subject !== undefined && { subject }),
      ...(part !== undefined && { part }),
      ...(owners && { owners }),
      ...(policy !== undefined && { policy }),
      ...(field !== undefined && { fieldPath: formatFieldPath(field) }),
      ...(concerns !== undefined && { concerns }),
      ...(removedIn !== undefined && { removedIn }),
      ...(cause !== undefined && { cause: shown(cause) }),
      ...(serverMessage !== undefined && { serverMessage: shown(serverMessage) }),
      ...(primary && { primary: this.hashed(placeOf(primary), primary.file) }),
      related: related.map(({ message: text, location }) => ({ message: shown(text), place: placeOf(location) })),
      ...(help !== undefined && { help: shown(help) }),
      ...(fix && { fix }),
    };
  }

  /** Adds the line hash to a location. */
  hashed(place: Place, file: SourceFile): Place {
    return this.#lineHashes.placeWithHash(place, file);
  }

  #fixOf({ fix, primary }: Diagnostic): LineFix | undefined {
    if (fix === undefined) return undefined;
    this.#fixWork -= primary?.file.length ?? 0;
    const edit = this.#fixWork < 0 ? undefined : fix();
    return edit && lineFix(edit);
  }
}
