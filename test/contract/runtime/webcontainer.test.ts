import { createWebContainerRuntime } from '@/lib/runtime/webcontainer/create-webcontainer-runtime';
import { systemClock } from '@/lib/shared/system-clock';
import { acrossBridge } from '@/test/support/across-bridge';
import { bootWebContainerStandIn } from '@/test/support/webcontainer-stand-in';
import { describeDisposeContract, describeRuntimeContract, type RuntimeWorld } from './runtime-contract';

const makeWorld = async (): Promise<RuntimeWorld> => ({
  runtime: createWebContainerRuntime({ instance: await bootWebContainerStandIn(), after: systemClock.after }),
});

describeRuntimeContract('WebContainer driver over the stand-in', makeWorld);
describeRuntimeContract('WebContainer driver over the stand-in, across the bridge', async () => {
  const { runtime } = await makeWorld();
  return { runtime: acrossBridge(runtime) };
});
describeDisposeContract('WebContainer driver over the stand-in', makeWorld);
