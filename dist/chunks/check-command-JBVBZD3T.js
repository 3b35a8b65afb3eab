import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-KM7HB6KA.js";import"./chunk-H635W5OI.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
