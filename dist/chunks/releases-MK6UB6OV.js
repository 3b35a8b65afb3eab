import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-O2FMYT76.js";import"./chunk-MEY5PAGE.js";import"./chunk-XMZ74F7U.js";import"./chunk-ABZBNJLJ.js";import"./chunk-DRAVVR66.js";import"./chunk-256XL7PU.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
