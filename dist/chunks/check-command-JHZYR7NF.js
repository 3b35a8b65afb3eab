import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-627DEU6R.js";import"./chunk-FGUHBLBI.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
