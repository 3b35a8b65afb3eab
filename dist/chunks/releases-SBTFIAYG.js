import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-NT5FJGY6.js";import"./chunk-J3ZTO246.js";import"./chunk-YU3UWSVL.js";import"./chunk-ABZBNJLJ.js";import"./chunk-TWYACXHL.js";import"./chunk-7FTNN6RP.js";import"./chunk-OHVFQQQK.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
