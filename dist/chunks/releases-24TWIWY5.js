import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-XP7NUDYO.js";import"./chunk-OWXQC5GC.js";import"./chunk-HVWYQEVC.js";import"./chunk-ABZBNJLJ.js";import"./chunk-AMXYER3H.js";import"./chunk-QVXWCSSO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
