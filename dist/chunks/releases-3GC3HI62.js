import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-MHIL5KKI.js";import"./chunk-NWENREB4.js";import"./chunk-MWIJ34Y6.js";import"./chunk-ABZBNJLJ.js";import"./chunk-L7HJNA2A.js";import"./chunk-32BOWIT3.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
