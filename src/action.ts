// Entry point of the GitHub Action: passes environment, log and clock to the action, and sets the exit status.
import { runAction } from './door/action/run-action.ts';

process.exitCode = await runAction({
  environment: process.env,
  out: (text) => process.stdout.write(text),
  now: () => performance.now(),
  today: new Date().toISOString().slice(0, 10),
  moment: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
});
