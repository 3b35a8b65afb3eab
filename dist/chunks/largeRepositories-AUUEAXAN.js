import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{collectOften,compressed,decompressed}from"./chunk-7HJV4CEB.js";import"./chunk-ABZBNJLJ.js";import"./chunk-UGJSWOPB.js";import"./chunk-QE6R55L4.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{collectOften,compressed,decompressed};
