import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{collectOften,compressed,decompressed}from"./chunk-7HJV4CEB.js";import"./chunk-ABZBNJLJ.js";import"./chunk-GYAKQ4AS.js";import"./chunk-GH7U33CL.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{collectOften,compressed,decompressed};
