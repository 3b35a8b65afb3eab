// Preloaded with `node --require`: records the programs that a program starts, its connections and the files it opens.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const log = process.env.PREADMIT_WATCH;
const append = fs.appendFileSync;
const note = (kind, what) => append(log, `${JSON.stringify([kind, String(what)])}\n`);

/** All functions of `child_process` that start a program call one of these two. */
const { spawn } = process.binding('spawn_sync');
process.binding('spawn_sync').spawn = (options) => {
  note('process', (options.args ?? [options.file]).join(' '));
  return spawn(options);
};
const { Process } = process.binding('process_wrap');
const start = Process.prototype.spawn;
Process.prototype.spawn = function (options) {
  note('process', (options.args ?? [options.file]).join(' '));
  return start.call(this, options);
};

const { Socket } = require('node:net');
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (...given) {
  note('connection', JSON.stringify(given[0]));
  return connect.apply(this, given);
};

for (const name of [
  'openSync',
  'readFileSync',
  'createReadStream',
  'readdirSync',
  'open',
  'readFile',
  'readdir',
  'opendirSync',
]) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    if (typeof path !== 'number') note('file', path);
    return original(path, ...rest);
  };
}
for (const name of ['open', 'readFile', 'readdir', 'opendir']) {
  const original = fs.promises[name];
  fs.promises[name] = (path, ...rest) => {
    note('file', path);
    return original(path, ...rest);
  };
}
syncBuiltinESMExports();
process.on('exit', () => note('memory', process.resourceUsage().maxRSS));
