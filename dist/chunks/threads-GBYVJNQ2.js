import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkOnThreads}from"./chunk-YDESUHMF.js";import"./chunk-RWWT4C72.js";import"./chunk-ABZBNJLJ.js";import"./chunk-TWYACXHL.js";import"./chunk-7FTNN6RP.js";import"./chunk-OHVFQQQK.js";import"./chunk-XQM4SLIR.js";export{checkOnThreads};
