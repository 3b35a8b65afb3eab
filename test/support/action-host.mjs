// Runs steps one after another in one process: loads the bundle again for each, with that step's environment, streams and exit code.
import { pathToFileURL } from 'node:url';

let output = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr']) {
  process[name].write = (chunk, ...rest) => {
    output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    rest.at(-1) instanceof Function && rest.at(-1)();
    return true;
  };
}

let steps = 0;
process.on('message', async ({ entry, cwd, environment }) => {
  output = { stdout: '', stderr: '' };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(cwd);
  process.exitCode = undefined;
  // The query forces a new module instance, so that each step executes the bundle's top-level code.
  await import(`${pathToFileURL(entry).href}?step=${++steps}`);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = 0;
  process.send({ code, ...output });
});
