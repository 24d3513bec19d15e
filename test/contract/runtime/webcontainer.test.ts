import { createWebContainerRuntime } from '@/lib/runtime/webcontainer/create-webcontainer-runtime';
import { systemClock } from '@/lib/shared/system-clock';
import { bootWebContainerStandIn } from '@/test/support/webcontainer-stand-in';
import { describeDisposeContract, describeRuntimeContract, type RuntimeWorld } from './runtime-contract';

const makeWorld = async (): Promise<RuntimeWorld> => ({
  runtime: createWebContainerRuntime({ instance: await bootWebContainerStandIn(), after: systemClock.after }),
});

describeRuntimeContract('WebContainer driver over the stand-in', makeWorld);
describeDisposeContract('WebContainer driver over the stand-in', makeWorld);
