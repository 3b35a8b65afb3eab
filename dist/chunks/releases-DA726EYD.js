import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-TMDAEQSQ.js";import"./chunk-42VKX4E6.js";import"./chunk-YB5HP7MB.js";import"./chunk-ABZBNJLJ.js";import"./chunk-MX43CWEH.js";import"./chunk-EM7ZL6FP.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
