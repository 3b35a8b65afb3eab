import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-3VYGY52M.js";import"./chunk-ABZBNJLJ.js";import"./chunk-WWSNPVND.js";import"./chunk-WHQ7XFSZ.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
