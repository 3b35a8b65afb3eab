// Expressions of up to 10 kB that would need unlimited time or memory: each stops at the cost limit or the work limit.
import { expect, it } from 'vitest';
import { DEFAULT_VERSION } from '../../../../src/kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../../../src/kubernetes/cel/admission-environment.ts';
import { answerExpression } from '../../../../src/kubernetes/cel/answer.ts';

const { environment, costs } = new AdmissionEnvironments(DEFAULT_VERSION).context({
  mode: 'stored',
  hasParams: false,
  hasAuthorizer: false,
});

const WORK = 'evaluation stopped: it takes more work than is allowed here (the API server has no such limit)';
const COST = 'operation cancelled: actual cost limit exceeded';
const x = (count: number) => 'x'.repeat(count);
const y = (count: number) => 'y'.repeat(count);
const eightfold = `[1]${'.map(a, [a, a, a, a, a, a, a, a])'.repeat(9)}`;

it.each([
  ['an endless list', 'lists.range(9223372036854775807).size()', COST],
  ['long lists', 'lists.range(1000).map(i, lists.range(1000000)).size()', COST],
  ['sorting a long list', 'lists.range(1999999).sortBy(i, -i).size()', COST],
  ['distinct lists', 'lists.range(20000).map(i, [i]).distinct().size()', WORK],
  ['sets of lists', 'sets.intersects(lists.range(20000).map(i, [i]), lists.range(20000).map(i, [-1 - i]))', WORK],
  ['a flattened tree', `${eightfold}.flatten(20).size()`, WORK],
  ['a formatted tree', `"%s".format([${eightfold}]).size()`, WORK],
  ['repeated replacement', `"${x(4000)}".replace("x", "${y(4000)}").replace("y", "zzzzzzzz").size()`, WORK],
  ['many replacements', `lists.range(300).map(i, ("${x(3000)}" + string(i)).replace("x", "${y(3000)}")).size()`, WORK],
  ['parts of a replacement', `"${x(4500)}".replace("x", "${y(4500)}").split("").size()`, WORK],
  ['a long separator', `lists.range(40000).map(i, "aaaaaaaa").join("${x(9000)}").size()`, WORK],
  ['decimals', 'lists.range(60000).map(i, "%.32767f".format([5e-324])).size()', WORK],
  ['discarded decimals', 'lists.range(60000).exists(i, "%.32767f%d".format([5e-324, dyn(1.0)]) == "")', WORK],
  ['splitting text into code points', `lists.range(3000).map(i, ("${x(9000)}" + string(i)).split("")).size()`, COST],
  ['nested loops', `${'lists.range(50).map(i, '.repeat(9)}1${')'.repeat(9)}.size()`, COST],
  ['a pattern', `lists.range(99999).exists(i, "${'a'.repeat(4000)}".matches("(a*)*c" + string(i)))`, COST],
])('%s', (_, expression, error) => {
  expect(expression.length).toBeLessThan(10_000);
  expect(answerExpression(expression, environment, { resolve: () => undefined }, costs).error).toBe(error);
});
