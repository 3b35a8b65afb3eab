// `preadmit why`: explains how every policy reaches its answer for one object.
import { relative, resolve, sep } from 'node:path';
import { nearestName } from '../../../diagnostic/nearest-name.ts';
import { explainObject, type ObjectQuery, parseObjectQuery } from '../../../pipeline/explain-object.ts';
import { explanationText } from '../../../report/format/text/explanation-text.ts';
import { askRepository } from '../../run/check-repository.ts';
import { EXIT } from '../../run/exit-code.ts';
import { WHY_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { stoppedBy } from '../stopped-by.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { checkOptions } from './check-command.ts';

const MOST_PLACES = 3;

export async function whyCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, WHY_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { paths, texts } = parsed.arguments;
  const [objectText, policy, ...more] = paths;
  const query = objectText === undefined ? undefined : parseObjectQuery(objectText);
  if (objectText === undefined || query === undefined || more.length > 0) {
    const forms = '`Deployment/shop/web`, `Namespace/shop` or `apps/web.yaml:12`';
    return usageError(
      [`expected an object and an optional policy: \`preadmit why <object> [policy]\`, with the object as ${forms}`],
      terminal,
    );
  }
  const options = checkOptions({ ...parsed.arguments, paths: [] }, terminal);
  const asked = await askRepository(options, (input, root) => {
    const object = fromTop(query, terminal.directory, root);
    return explainObject({ ...input, object, ...(policy !== undefined && { policy }) });
  });
  if ('stopped' in asked) return stoppedBy(asked.stopped, terminal);
  const outcome = asked.answer;
  if ('unreached' in outcome) {
    const places = outcome.unreached.slice(0, MOST_PLACES).map((path) => `\`${path}\``);
    return usageError(
      [
        `no controller's root leads to \`${objectText}\` in ${places.join(', ')}, so it is not evaluated; to evaluate it, set \`unreached: judge\` in \`.preadmit.yaml\``,
      ],
      terminal,
    );
  }
  if ('known' in outcome) {
    const known = outcome.known.length === 0 ? '' : `; found ${outcome.known.map((each) => `\`${each}\``).join(', ')}`;
    return usageError([`the repository has no object \`${objectText}\`${known}`], terminal);
  }
  if ('policies' in outcome) {
    const nearest = nearestName(policy ?? '', outcome.policies);
    const meant = nearest === undefined ? '' : `: did you mean \`${nearest}\`?`;
    return usageError([`there is no policy \`${policy}\`${meant}`], terminal);
  }
  const { explanation } = outcome;
  terminal.out(
    texts.get('format') === 'json'
      ? `${JSON.stringify(explanation, undefined, 2)}\n`
      : explanationText(explanation, { color: terminal.color }),
  );
  return EXIT.allowed;
}

/** Paths are given relative to the working directory; the report uses paths from the repository root. */
function fromTop(query: ObjectQuery, directory: string, root: string): ObjectQuery {
  if (!('path' in query)) return query;
  return { ...query, path: relative(root, resolve(directory, query.path)).split(sep).join('/') };
}
