import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-DABTR2A3.js";import"./chunk-ILTSZYUT.js";import"./chunk-O6D4VZRP.js";import"./chunk-ABZBNJLJ.js";import"./chunk-LEK5LED6.js";import"./chunk-4TH324MP.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
