import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-E3AEZUXB.js";import"./chunk-YB5HVB2V.js";import"./chunk-EA4KV7XP.js";import"./chunk-ABZBNJLJ.js";import"./chunk-S73XD2F2.js";import"./chunk-OZ4C6EVV.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
