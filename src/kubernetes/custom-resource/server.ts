// Shared state of all custom resources of one release and run: error messages, formats, patterns and libraries.
import { RegexCache } from '../../go/regexp/regex-cache.ts';
import type { KubernetesVersion } from '../api/version.ts';
import { RunBudget } from '../request/run-budget.ts';
import { SchemaCatalog } from '../schema/schema-catalog.ts';
import { ObjectMetaDecoder } from './object/object-meta.ts';
import { RuleCompiler } from './rule/compiled-rule.ts';
import { ServerErrors } from './server-error.ts';
import { EmbeddedResourceValidator } from './validation/embedded-resources.ts';
import { SchemaValidator } from './validation/schema-validator.ts';
import { StringFormats } from './validation/string-format.ts';

export class CustomResourceServer {
  readonly version: KubernetesVersion;
  /** Charged for defaults, validation and rules. */
  readonly work: RunBudget;
  readonly errors: ServerErrors;
  readonly metadata: ObjectMetaDecoder;
  readonly schemas: SchemaValidator;
  readonly embedded: EmbeddedResourceValidator;
  readonly rules: RuleCompiler;
  /** For rules in new or changed definitions. */
  readonly newRules: RuleCompiler;
  readonly #regexes = new RegexCache();

  constructor(version: KubernetesVersion, work = new RunBudget()) {
    this.version = version;
    this.work = work;
    this.errors = new ServerErrors(version);
    this.metadata = new ObjectMetaDecoder(new SchemaCatalog(version.minor));
    this.embedded = new EmbeddedResourceValidator(version, this.metadata, this.errors);
    this.rules = new RuleCompiler(version, 'stored');
    this.newRules = new RuleCompiler(version, 'new');
    const formats = new StringFormats(version, this.#regexes);
    this.schemas = new SchemaValidator({ version, errors: this.errors, formats, regexes: this.#regexes, work });
  }

  /** Go's error for an invalid pattern; undefined if it is valid or cannot be checked here. */
  readonly patternError = (pattern: string): string | undefined => {
    const regex = this.#regexes.compile(pattern);
    return 'error' in regex && regex.unsupported === undefined ? regex.error : undefined;
  };
}
