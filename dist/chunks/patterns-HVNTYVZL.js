import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRegex}from"./chunk-5BRSQPJR.js";import"./chunk-ABZBNJLJ.js";import"./chunk-TWYACXHL.js";import"./chunk-7FTNN6RP.js";import"./chunk-OHVFQQQK.js";import"./chunk-XQM4SLIR.js";export{compileRegex};
