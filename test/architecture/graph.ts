// `npm run graph`: the rooms of src/, lowest first, with what each imports and how often; `-- <room>` names the imports.
import { folderOf, looseFiles, ROOMS, roomOf } from './rooms.ts';
import { readSources, sourceGraph } from './source-graph.ts';
import { roomArrows } from './violations.ts';

const graph = sourceGraph(readSources('src'));
const arrows = roomArrows(graph);
const [shown] = process.argv.slice(2);
for (const room of ROOMS) {
  if (shown !== undefined && shown !== room) continue;
  const files = [...graph.sources.keys()].filter((file) => roomOf(folderOf(file)) === room);
  const imports = graph.imports.filter(({ from, to }) => files.includes(from) && graph.sources.has(to));
  const others = ROOMS.filter((other) => arrows.includes(`${room} > ${other}`)).map((other) => {
    const to = imports.filter((entry) => roomOf(folderOf(entry.to)) === other);
    if (shown !== undefined) for (const entry of to) console.log(`${entry.from} → ${entry.to}`);
    return `${other} ${to.length}${to.every(({ typeOnly }) => typeOnly) ? ' (types)' : ''}`;
  });
  console.log(`${room.padEnd(18)} ${String(files.length).padStart(3)} files → ${others.join(', ') || 'nothing'}`);
}
console.log(`${arrows.length} arrows between ${ROOMS.length} rooms`);
console.log(`${looseFiles(graph.sources.keys()).length} loose files in rooms with folders`);
