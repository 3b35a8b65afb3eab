import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-QUBNTXTK.js";import"./chunk-AFJCDUDJ.js";import"./chunk-YXUZDBXM.js";import"./chunk-ABZBNJLJ.js";import"./chunk-3Z7A52GP.js";import"./chunk-F3EADK2I.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
