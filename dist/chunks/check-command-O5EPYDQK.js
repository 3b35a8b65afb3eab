import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-GYAKQ4AS.js";import"./chunk-GH7U33CL.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
