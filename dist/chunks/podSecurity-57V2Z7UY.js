import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-LDPZ743I.js";import"./chunk-QYXW7Q6D.js";import"./chunk-ABZBNJLJ.js";import"./chunk-WWSNPVND.js";import"./chunk-WHQ7XFSZ.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
