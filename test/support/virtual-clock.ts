export { createVirtualClock, type VirtualClock } from '@/lib/conformance/virtual-clock';
