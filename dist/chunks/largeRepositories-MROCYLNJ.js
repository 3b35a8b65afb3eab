import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{collectOften,compressed,decompressed}from"./chunk-7HJV4CEB.js";import"./chunk-ABZBNJLJ.js";import"./chunk-TWYACXHL.js";import"./chunk-7FTNN6RP.js";import"./chunk-OHVFQQQK.js";import"./chunk-XQM4SLIR.js";export{collectOften,compressed,decompressed};
