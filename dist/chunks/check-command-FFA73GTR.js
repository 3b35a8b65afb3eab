import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-TWYACXHL.js";import"./chunk-7FTNN6RP.js";import"./chunk-OHVFQQQK.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
