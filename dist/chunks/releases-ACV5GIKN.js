import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-MUGFVGWQ.js";import"./chunk-BTY22IQ3.js";import"./chunk-R6F7ZG4W.js";import"./chunk-ABZBNJLJ.js";import"./chunk-H2AW6KLE.js";import"./chunk-UF5DHSPT.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
