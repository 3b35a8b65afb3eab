// Accepted and rejected values of `core.sshCommand`.
import { expect, test } from 'vitest';
import { harmlessSshCommand } from '../../../src/workspace/git/ssh-command.ts';

test.each([
  ['ssh', "'ssh'"],
  ['/usr/bin/ssh', "'/usr/bin/ssh'"],
  [
    '"/usr/bin/ssh" -i "/home/runner/work/_temp/0b1c" -o StrictHostKeyChecking=yes -o CheckHostIP=no -o "UserKnownHostsFile=/tmp/a b"',
    "'/usr/bin/ssh' '-i' '/home/runner/work/_temp/0b1c' '-o' 'StrictHostKeyChecking=yes' '-o' 'CheckHostIP=no' '-o' 'UserKnownHostsFile=/tmp/a b'",
  ],
])('accepts %s', (command, expected) => {
  expect(harmlessSshCommand(command)).toBe(expected);
});

test.each([
  '',
  'sh -c evil',
  './ssh',
  'ssh; evil',
  'ssh -i key; evil',
  'ssh -i "$(evil)"',
  'ssh -i `evil`',
  'ssh -i',
  'ssh -o ProxyCommand=evil',
  'ssh -o "ProxyCommand=evil"',
  'ssh -F config',
  "ssh -i 'a'b",
])('rejects %j', (command) => {
  expect(harmlessSshCommand(command)).toBeUndefined();
});
