// Khronos' validator over .glb files: any error or warning fails.
//   node check_gltf.cjs FILE...
const fs = require("fs");
const validator = require("gltf-validator");

(async () => {
    for (const file of process.argv.slice(2)) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {maxIssues: 20});
        const {numErrors, numWarnings, messages} = report.issues;
        if (numErrors + numWarnings > 0) {
            console.error(file, JSON.stringify(messages, null, 1));
            process.exit(1);
        }
        const {animationCount, hasMorphTargets, hasSkins} = report.info;
        if (animationCount < 1 || !(hasMorphTargets || hasSkins)) {
            console.error(file, "has no animated morph targets and no skin");
            process.exit(1);
        }
        console.log(`${file}: valid, ${report.info.totalVertexCount} vertices`);
    }
})();
