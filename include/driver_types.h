/* driver_types.h: the types of the CUDA runtime's interface, with the values and layouts of CUDA 13 that NVIDIA's API reference
 * documents. */
#pragma once
#include <stddef.h>
#include "vector_types.h"

/* C has no names of types without their kind. */
#ifndef __cplusplus
#include <stdbool.h>
SIMT_TYPEDEF(enum, cudaDeviceAttr)
SIMT_TYPEDEF(struct, cudaUUID_t)
SIMT_TYPEDEF(struct, cudaDeviceProp)
SIMT_TYPEDEF(enum, cudaJitOption)
SIMT_TYPEDEF(enum, cudaLibraryOption)
SIMT_TYPEDEF(struct, cudaKernelNodeParams)
SIMT_TYPEDEF(struct, cudaMemsetParams)
SIMT_TYPEDEF(struct, cudaHostNodeParams)
SIMT_TYPEDEF(enum, cudaMemcpyKind)
SIMT_TYPEDEF(enum, cudaMemoryType)
SIMT_TYPEDEF(enum, cudaMemoryAdvise)
SIMT_TYPEDEF(enum, cudaMemLocationType)
SIMT_TYPEDEF(struct, cudaMemLocation)
SIMT_TYPEDEF(struct, cudaPointerAttributes)
SIMT_TYPEDEF(struct, cudaExtent)
SIMT_TYPEDEF(struct, cudaPos)
SIMT_TYPEDEF(struct, cudaPitchedPtr)
SIMT_TYPEDEF(struct, cudaMemcpy3DParms)
SIMT_TYPEDEF(enum, cudaFuncCache)
SIMT_TYPEDEF(enum, cudaSharedMemConfig)
SIMT_TYPEDEF(enum, cudaFuncAttribute)
SIMT_TYPEDEF(enum, cudaSharedCarveout)
SIMT_TYPEDEF(enum, cudaComputeMode)
SIMT_TYPEDEF(enum, cudaDeviceP2PAttr)
SIMT_TYPEDEF(struct, cudaFuncAttributes)
SIMT_TYPEDEF(enum, cudaLimit)
SIMT_TYPEDEF(enum, cudaLaunchAttributeID)
SIMT_TYPEDEF(enum, cudaSynchronizationPolicy)
SIMT_TYPEDEF(enum, cudaClusterSchedulingPolicy)
SIMT_TYPEDEF(enum, cudaLaunchMemSyncDomain)
SIMT_TYPEDEF(enum, cudaAccessProperty)
SIMT_TYPEDEF(struct, cudaAccessPolicyWindow)
SIMT_TYPEDEF(union, cudaLaunchAttributeValue)
SIMT_TYPEDEF(struct, cudaLaunchAttribute)
SIMT_TYPEDEF(struct, cudaLaunchConfig_t)
SIMT_TYPEDEF(enum, cudaStreamCaptureMode)
SIMT_TYPEDEF(enum, cudaStreamUpdateCaptureDependenciesFlags)
SIMT_TYPEDEF(enum, cudaStreamCaptureStatus)
SIMT_TYPEDEF(enum, cudaChannelFormatKind)
SIMT_TYPEDEF(struct, cudaChannelFormatDesc)
SIMT_TYPEDEF(enum, cudaResourceType)
SIMT_TYPEDEF(struct, cudaResourceDesc)
SIMT_TYPEDEF(enum, cudaTextureAddressMode)
SIMT_TYPEDEF(enum, cudaTextureFilterMode)
SIMT_TYPEDEF(enum, cudaTextureReadMode)
SIMT_TYPEDEF(enum, cudaSurfaceBoundaryMode)
SIMT_TYPEDEF(struct, cudaTextureDesc)
SIMT_TYPEDEF(enum, cudaResourceViewFormat)
SIMT_TYPEDEF(struct, cudaResourceViewDesc)
SIMT_TYPEDEF(enum, cudaMemPoolAttr)
SIMT_TYPEDEF(enum, cudaMemRangeAttribute)
SIMT_TYPEDEF(enum, cudaMemAllocationType)
SIMT_TYPEDEF(enum, cudaMemAllocationHandleType)
SIMT_TYPEDEF(struct, cudaMemPoolProps)
SIMT_TYPEDEF(enum, cudaGraphNodeType)
SIMT_TYPEDEF(struct, cudaGraphEdgeData)
SIMT_TYPEDEF(enum, cudaGraphExecUpdateResult)
SIMT_TYPEDEF(struct, cudaGraphExecUpdateResultInfo)
SIMT_TYPEDEF(enum, cudaMemAccessFlags)
SIMT_TYPEDEF(struct, cudaMemAccessDesc)
SIMT_TYPEDEF(struct, cudaMemAllocNodeParams)
SIMT_TYPEDEF(enum, cudaGraphMemAttributeType)
SIMT_TYPEDEF(struct, cudaMemFreeNodeParams)
SIMT_TYPEDEF(struct, cudaMemcpyNodeParams)
SIMT_TYPEDEF(struct, cudaChildGraphNodeParams)
SIMT_TYPEDEF(struct, cudaEventNodeParams)
SIMT_TYPEDEF(enum, cudaGraphConditionalHandleFlags)
SIMT_TYPEDEF(enum, cudaGraphConditionalNodeType)
SIMT_TYPEDEF(struct, cudaConditionalNodeParams)
SIMT_TYPEDEF(struct, cudaGraphNodeParams)
SIMT_TYPEDEF(enum, cudaGraphInstantiateFlags)
SIMT_TYPEDEF(enum, cudaGraphInstantiateResult)
SIMT_TYPEDEF(struct, cudaGraphInstantiateParams)
SIMT_TYPEDEF(enum, cudaGraphDebugDotFlags)
SIMT_TYPEDEF(enum, cudaMemcpySrcAccessOrder)
SIMT_TYPEDEF(enum, cudaMemcpyFlags)
SIMT_TYPEDEF(struct, cudaMemcpyAttributes)
SIMT_TYPEDEF(struct, cudaMemcpy3DPeerParms)
SIMT_TYPEDEF(enum, cudaUserObjectFlags)
SIMT_TYPEDEF(enum, cudaUserObjectRetainFlags)
SIMT_TYPEDEF(enum, cudaDriverEntryPointQueryResult)
SIMT_TYPEDEF(struct, cudaIpcMemHandle_t)
SIMT_TYPEDEF(struct, cudaIpcEventHandle_t)
#endif

typedef enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf } cudaRoundMode;

/* --- errors, attributes ----------------------------------------------------------------------------------------------- */

typedef enum cudaError {
	cudaSuccess = 0,
	cudaErrorInvalidValue = 1,
	cudaErrorMemoryAllocation = 2,
	cudaErrorInitializationError = 3,
	cudaErrorCudartUnloading = 4,
	cudaErrorProfilerDisabled = 5,
	cudaErrorProfilerNotInitialized = 6,
	cudaErrorProfilerAlreadyStarted = 7,
	cudaErrorProfilerAlreadyStopped = 8,
	cudaErrorInvalidConfiguration = 9,
	cudaErrorInvalidPitchValue = 12,
	cudaErrorInvalidSymbol = 13,
	cudaErrorInvalidHostPointer = 16,
	cudaErrorInvalidDevicePointer = 17,
	cudaErrorInvalidTexture = 18,
	cudaErrorInvalidTextureBinding = 19,
	cudaErrorInvalidChannelDescriptor = 20,
	cudaErrorInvalidMemcpyDirection = 21,
	cudaErrorAddressOfConstant = 22,
	cudaErrorTextureFetchFailed = 23,
	cudaErrorTextureNotBound = 24,
	cudaErrorSynchronizationError = 25,
	cudaErrorInvalidFilterSetting = 26,
	cudaErrorInvalidNormSetting = 27,
	cudaErrorMixedDeviceExecution = 28,
	cudaErrorNotYetImplemented = 31,
	cudaErrorMemoryValueTooLarge = 32,
	cudaErrorStubLibrary = 34,
	cudaErrorInsufficientDriver = 35,
	cudaErrorCallRequiresNewerDriver = 36,
	cudaErrorInvalidSurface = 37,
	cudaErrorDuplicateVariableName = 43,
	cudaErrorDuplicateTextureName = 44,
	cudaErrorDuplicateSurfaceName = 45,
	cudaErrorDevicesUnavailable = 46,
	cudaErrorIncompatibleDriverContext = 49,
	cudaErrorMissingConfiguration = 52,
	cudaErrorPriorLaunchFailure = 53,
	cudaErrorLaunchMaxDepthExceeded = 65,
	cudaErrorLaunchFileScopedTex = 66,
	cudaErrorLaunchFileScopedSurf = 67,
	cudaErrorSyncDepthExceeded = 68,
	cudaErrorLaunchPendingCountExceeded = 69,
	cudaErrorInvalidDeviceFunction = 98,
	cudaErrorNoDevice = 100,
	cudaErrorInvalidDevice = 101,
	cudaErrorDeviceNotLicensed = 102,
	cudaErrorSoftwareValidityNotEstablished = 103,
	cudaErrorStartupFailure = 127,
	cudaErrorInvalidKernelImage = 200,
	cudaErrorDeviceUninitialized = 201,
	cudaErrorMapBufferObjectFailed = 205,
	cudaErrorUnmapBufferObjectFailed = 206,
	cudaErrorArrayIsMapped = 207,
	cudaErrorAlreadyMapped = 208,
	cudaErrorNoKernelImageForDevice = 209,
	cudaErrorAlreadyAcquired = 210,
	cudaErrorNotMapped = 211,
	cudaErrorNotMappedAsArray = 212,
	cudaErrorNotMappedAsPointer = 213,
	cudaErrorECCUncorrectable = 214,
	cudaErrorUnsupportedLimit = 215,
	cudaErrorDeviceAlreadyInUse = 216,
	cudaErrorPeerAccessUnsupported = 217,
	cudaErrorInvalidPtx = 218,
	cudaErrorInvalidGraphicsContext = 219,
	cudaErrorNvlinkUncorrectable = 220,
	cudaErrorJitCompilerNotFound = 221,
	cudaErrorUnsupportedPtxVersion = 222,
	cudaErrorJitCompilationDisabled = 223,
	cudaErrorUnsupportedExecAffinity = 224,
	cudaErrorUnsupportedDevSideSync = 225,
	cudaErrorInvalidSource = 300,
	cudaErrorFileNotFound = 301,
	cudaErrorSharedObjectSymbolNotFound = 302,
	cudaErrorSharedObjectInitFailed = 303,
	cudaErrorOperatingSystem = 304,
	cudaErrorInvalidResourceHandle = 400,
	cudaErrorIllegalState = 401,
	cudaErrorSymbolNotFound = 500,
	cudaErrorNotReady = 600,
	cudaErrorIllegalAddress = 700,
	cudaErrorLaunchOutOfResources = 701,
	cudaErrorLaunchTimeout = 702,
	cudaErrorLaunchIncompatibleTexturing = 703,
	cudaErrorPeerAccessAlreadyEnabled = 704,
	cudaErrorPeerAccessNotEnabled = 705,
	cudaErrorSetOnActiveProcess = 708,
	cudaErrorContextIsDestroyed = 709,
	cudaErrorAssert = 710,
	cudaErrorTooManyPeers = 711,
	cudaErrorHostMemoryAlreadyRegistered = 712,
	cudaErrorHostMemoryNotRegistered = 713,
	cudaErrorHardwareStackError = 714,
	cudaErrorIllegalInstruction = 715,
	cudaErrorMisalignedAddress = 716,
	cudaErrorInvalidAddressSpace = 717,
	cudaErrorInvalidPc = 718,
	cudaErrorLaunchFailure = 719,
	cudaErrorCooperativeLaunchTooLarge = 720,
	cudaErrorNotPermitted = 800,
	cudaErrorNotSupported = 801,
	cudaErrorSystemNotReady = 802,
	cudaErrorSystemDriverMismatch = 803,
	cudaErrorCompatNotSupportedOnDevice = 804,
	cudaErrorStreamCaptureUnsupported = 900,
	cudaErrorStreamCaptureInvalidated = 901,
	cudaErrorStreamCaptureMerge = 902,
	cudaErrorStreamCaptureUnmatched = 903,
	cudaErrorStreamCaptureUnjoined = 904,
	cudaErrorStreamCaptureIsolation = 905,
	cudaErrorStreamCaptureImplicit = 906,
	cudaErrorCapturedEvent = 907,
	cudaErrorStreamCaptureWrongThread = 908,
	cudaErrorTimeout = 909,
	cudaErrorGraphExecUpdateFailure = 910,
	cudaErrorExternalDevice = 911,
	cudaErrorInvalidClusterSize = 912,
	cudaErrorFunctionNotLoaded = 913,
	cudaErrorInvalidResourceType = 914,
	cudaErrorInvalidResourceConfiguration = 915,
	cudaErrorUnknown = 999,
} cudaError_t;

enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1,
	cudaDevAttrMaxBlockDimX = 2,
	cudaDevAttrMaxBlockDimY = 3,
	cudaDevAttrMaxBlockDimZ = 4,
	cudaDevAttrMaxGridDimX = 5,
	cudaDevAttrMaxGridDimY = 6,
	cudaDevAttrMaxGridDimZ = 7,
	cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrTotalConstantMemory = 9,
	cudaDevAttrWarpSize = 10,
	cudaDevAttrMaxPitch = 11,
	cudaDevAttrMaxRegistersPerBlock = 12,
	cudaDevAttrClockRate = 13,
	cudaDevAttrTextureAlignment = 14,
	cudaDevAttrGpuOverlap = 15,
	cudaDevAttrMultiProcessorCount = 16,
	cudaDevAttrKernelExecTimeout = 17,
	cudaDevAttrIntegrated = 18,
	cudaDevAttrCanMapHostMemory = 19,
	cudaDevAttrComputeMode = 20,
	cudaDevAttrMaxTexture1DWidth = 21,
	cudaDevAttrMaxTexture2DWidth = 22,
	cudaDevAttrMaxTexture2DHeight = 23,
	cudaDevAttrMaxTexture3DWidth = 24,
	cudaDevAttrMaxTexture3DHeight = 25,
	cudaDevAttrMaxTexture3DDepth = 26,
	cudaDevAttrMaxTexture2DLayeredWidth = 27,
	cudaDevAttrMaxTexture2DLayeredHeight = 28,
	cudaDevAttrMaxTexture2DLayeredLayers = 29,
	cudaDevAttrSurfaceAlignment = 30,
	cudaDevAttrConcurrentKernels = 31,
	cudaDevAttrEccEnabled = 32,
	cudaDevAttrPciBusId = 33,
	cudaDevAttrPciDeviceId = 34,
	cudaDevAttrTccDriver = 35,
	cudaDevAttrMemoryClockRate = 36,
	cudaDevAttrGlobalMemoryBusWidth = 37,
	cudaDevAttrL2CacheSize = 38,
	cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrAsyncEngineCount = 40,
	cudaDevAttrUnifiedAddressing = 41,
	cudaDevAttrMaxTexture1DLayeredWidth = 42,
	cudaDevAttrMaxTexture1DLayeredLayers = 43,
	cudaDevAttrMaxTexture2DGatherWidth = 45,
	cudaDevAttrMaxTexture2DGatherHeight = 46,
	cudaDevAttrMaxTexture3DWidthAlt = 47,
	cudaDevAttrMaxTexture3DHeightAlt = 48,
	cudaDevAttrMaxTexture3DDepthAlt = 49,
	cudaDevAttrPciDomainId = 50,
	cudaDevAttrTexturePitchAlignment = 51,
	cudaDevAttrMaxTextureCubemapWidth = 52,
	cudaDevAttrMaxTextureCubemapLayeredWidth = 53,
	cudaDevAttrMaxTextureCubemapLayeredLayers = 54,
	cudaDevAttrMaxSurface1DWidth = 55,
	cudaDevAttrMaxSurface2DWidth = 56,
	cudaDevAttrMaxSurface2DHeight = 57,
	cudaDevAttrMaxSurface3DWidth = 58,
	cudaDevAttrMaxSurface3DHeight = 59,
	cudaDevAttrMaxSurface3DDepth = 60,
	cudaDevAttrMaxSurface1DLayeredWidth = 61,
	cudaDevAttrMaxSurface1DLayeredLayers = 62,
	cudaDevAttrMaxSurface2DLayeredWidth = 63,
	cudaDevAttrMaxSurface2DLayeredHeight = 64,
	cudaDevAttrMaxSurface2DLayeredLayers = 65,
	cudaDevAttrMaxSurfaceCubemapWidth = 66,
	cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
	cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
	cudaDevAttrMaxTexture1DLinearWidth = 69,
	cudaDevAttrMaxTexture2DLinearWidth = 70,
	cudaDevAttrMaxTexture2DLinearHeight = 71,
	cudaDevAttrMaxTexture2DLinearPitch = 72,
	cudaDevAttrMaxTexture2DMipmappedWidth = 73,
	cudaDevAttrMaxTexture2DMipmappedHeight = 74,
	cudaDevAttrComputeCapabilityMajor = 75,
	cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrMaxTexture1DMipmappedWidth = 77,
	cudaDevAttrStreamPrioritiesSupported = 78,
	cudaDevAttrGlobalL1CacheSupported = 79,
	cudaDevAttrLocalL1CacheSupported = 80,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrMaxRegistersPerMultiprocessor = 82,
	cudaDevAttrManagedMemory = 83,
	cudaDevAttrIsMultiGpuBoard = 84,
	cudaDevAttrMultiGpuBoardGroupID = 85,
	cudaDevAttrHostNativeAtomicSupported = 86,
	cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
	cudaDevAttrPageableMemoryAccess = 88,
	cudaDevAttrConcurrentManagedAccess = 89,
	cudaDevAttrComputePreemptionSupported = 90,
	cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
	cudaDevAttrCooperativeLaunch = 95,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
	cudaDevAttrCanFlushRemoteWrites = 98,
	cudaDevAttrHostRegisterSupported = 99,
	cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
	cudaDevAttrDirectManagedMemAccessFromHost = 101,
	cudaDevAttrMaxBlocksPerMultiprocessor = 106,
	cudaDevAttrMaxPersistingL2CacheSize = 108,
	cudaDevAttrMaxAccessPolicyWindowSize = 109,
	cudaDevAttrSparseCudaArraySupported = 112,
	cudaDevAttrHostRegisterReadOnlySupported = 113,
	cudaDevAttrTimelineSemaphoreInteropSupported = 114,
	cudaDevAttrMemoryPoolsSupported = 115,
	cudaDevAttrGPUDirectRDMASupported = 116,
	cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
	cudaDevAttrGPUDirectRDMAWritesOrdering = 118,
	cudaDevAttrMemoryPoolSupportedHandleTypes = 119,
	cudaDevAttrClusterLaunch = 120,
	cudaDevAttrDeferredMappingCudaArraySupported = 121,
	cudaDevAttrIpcEventSupport = 125,
	cudaDevAttrMemSyncDomainCount = 126,
	cudaDevAttrNumaConfig = 130,
	cudaDevAttrNumaId = 131,
	cudaDevAttrMpsEnabled = 133,
	cudaDevAttrHostNumaId = 134,
	cudaDevAttrD3D12CigSupported = 135,
	cudaDevAttrVulkanCigSupported = 138,
	cudaDevAttrGpuPciDeviceId = 139,
	cudaDevAttrGpuPciSubsystemId = 140,
	cudaDevAttrHostNumaMemoryPoolsSupported = 142,
	cudaDevAttrHostNumaMultinodeIpcSupported = 143,
	cudaDevAttrHostMemoryPoolsSupported = 144,
	cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147,
};

struct cudaUUID_t {
	char bytes[16];
};

struct cudaDeviceProp {
	char name[256];
	cudaUUID_t uuid;
	char luid[8];
	unsigned int luidDeviceNodeMask;
	size_t totalGlobalMem, sharedMemPerBlock;
	int regsPerBlock, warpSize;
	size_t memPitch;
	int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
	size_t totalConstMem;
	int major, minor;
	size_t textureAlignment, texturePitchAlignment;
	int multiProcessorCount, integrated, canMapHostMemory;
	int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3];
	int maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2];
	int maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
	int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
	size_t surfaceAlignment;
	int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
	int unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
	int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
	int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
	int canUseHostPointerForRegisteredMem, cooperativeLaunch;
	size_t sharedMemPerBlockOptin;
	int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
	int accessPolicyMaxWindowSize;
	size_t reservedSharedMemPerBlock;
	int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
	int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
	unsigned int gpuDirectRDMAFlushWritesOptions;
	int gpuDirectRDMAWritesOrdering;
	unsigned int memoryPoolSupportedHandleTypes;
	int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
	/* Before CUDA 13 these were elsewhere in it: simttutor_before_13.h. */
	int clockRate, memoryClockRate, deviceOverlap, computeMode, kernelExecTimeoutEnabled;
	int reserved[58];
};
SIMT_ASSERT(__builtin_offsetof(cudaDeviceProp, totalGlobalMem) == 288 &&
		__builtin_offsetof(cudaDeviceProp, surfaceAlignment) == 552 &&
		__builtin_offsetof(cudaDeviceProp, clusterLaunch) == 748 && sizeof(cudaDeviceProp) == 1008,
	"as the runtime fills it");

/* --- objects ---------------------------------------------------------------------------------------------------------- */

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUkern_st *cudaKernel_t;
enum cudaJitOption {
	cudaJitMaxRegisters = 0,
	cudaJitThreadsPerBlock = 1,
	cudaJitWallTime = 2,
	cudaJitInfoLogBuffer = 3,
	cudaJitInfoLogBufferSizeBytes = 4,
	cudaJitErrorLogBuffer = 5,
	cudaJitErrorLogBufferSizeBytes = 6,
	cudaJitOptimizationLevel = 7,
	cudaJitFallbackStrategy = 10,
	cudaJitGenerateDebugInfo = 11,
	cudaJitLogVerbose = 12,
	cudaJitGenerateLineInfo = 13,
	cudaJitCacheMode = 14,
};
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };
struct cudaKernelNodeParams {
	void *func;
	dim3 gridDim, blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams, **extra;
};
struct cudaMemsetParams {
	void *dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
};
struct cudaHostNodeParams {
	void (*fn)(void *data);
	void *userData;
};
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaInvalidDeviceId (-2)
#define cudaCpuDeviceId (-1)

enum {
	cudaStreamDefault = 0,
	cudaStreamNonBlocking = 1,
	cudaEventDefault = 0,
	cudaEventBlockingSync = 1,
	cudaEventDisableTiming = 2,
	cudaEventInterprocess = 4,
	cudaEventRecordDefault = 0,
	cudaEventRecordExternal = 1,
	cudaEventWaitDefault = 0,
	cudaHostAllocDefault = 0,
	cudaHostAllocPortable = 1,
	cudaHostAllocMapped = 2,
	cudaHostAllocWriteCombined = 4,
	cudaHostRegisterDefault = 0,
	cudaHostRegisterPortable = 1,
	cudaHostRegisterMapped = 2,
	cudaHostRegisterReadOnly = 8,
	cudaMemAttachGlobal = 1,
	cudaMemAttachHost = 2,
	cudaMemAttachSingle = 4,
	cudaDeviceScheduleAuto = 0,
	cudaDeviceScheduleSpin = 1,
	cudaDeviceScheduleYield = 2,
	cudaDeviceScheduleBlockingSync = 4,
	cudaDeviceMapHost = 8,
	cudaDeviceLmemResizeToMax = 16,
	cudaArrayDefault = 0,
	cudaArrayLayered = 1,
	cudaArraySurfaceLoadStore = 2,
	cudaArrayCubemap = 4,
	cudaArrayTextureGather = 8,
	cudaOccupancyDefault = 0,
	cudaOccupancyDisableCachingOverride = 1,
	cudaEventWaitExternal = 1,
	cudaHostRegisterIoMemory = 4,
	cudaDeviceBlockingSync = 4,
	cudaDeviceScheduleMask = 7,
	cudaDeviceSyncMemops = 128,
	cudaDeviceMask = 255,
	cudaInitDeviceFlagsAreValid = 1,
	cudaMemPoolCreateUsageHwDecompress = 2,
	cudaIpcMemLazyEnablePeerAccess = 1,
	cudaPeerAccessDefault = 0,
};

/* --- memory ----------------------------------------------------------------------------------------------------------- */

enum cudaMemcpyKind {
	cudaMemcpyHostToHost,
	cudaMemcpyHostToDevice,
	cudaMemcpyDeviceToHost,
	cudaMemcpyDeviceToDevice,
	cudaMemcpyDefault,
};

enum cudaMemoryType {
	cudaMemoryTypeUnregistered,
	cudaMemoryTypeHost,
	cudaMemoryTypeDevice,
	cudaMemoryTypeManaged,
};

enum cudaMemoryAdvise {
	cudaMemAdviseSetReadMostly = 1,
	cudaMemAdviseUnsetReadMostly,
	cudaMemAdviseSetPreferredLocation,
	cudaMemAdviseUnsetPreferredLocation,
	cudaMemAdviseSetAccessedBy,
	cudaMemAdviseUnsetAccessedBy,
};

enum cudaMemLocationType {
	cudaMemLocationTypeInvalid,
	cudaMemLocationTypeNone = cudaMemLocationTypeInvalid,
	cudaMemLocationTypeDevice,
	cudaMemLocationTypeHost,
	cudaMemLocationTypeHostNuma,
	cudaMemLocationTypeHostNumaCurrent,
};

struct cudaMemLocation {
	cudaMemLocationType type;
	int id;
};

struct cudaPointerAttributes {
	cudaMemoryType type;
	int device;
	void *devicePointer, *hostPointer;
	long reserved[8];
};

struct cudaExtent {
	size_t width, height, depth;
};

struct cudaPos {
	size_t x, y, z;
};

struct cudaPitchedPtr {
	void *ptr;
	size_t pitch, xsize, ysize;
};

struct cudaMemcpy3DParms {
	cudaArray_t srcArray;
	cudaPos srcPos;
	cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	cudaPos dstPos;
	cudaPitchedPtr dstPtr;
	cudaExtent extent;
	cudaMemcpyKind kind;
};

SIMT_BOTH cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
	return SIMT_VALUE(cudaExtent){width, height, depth};
}
SIMT_BOTH cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
	return SIMT_VALUE(cudaPos){x, y, z};
}
SIMT_BOTH cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height)
{
	return SIMT_VALUE(cudaPitchedPtr){pointer, pitch, width, height};
}

/* --- execution -------------------------------------------------------------------------------------------------------- */

enum cudaFuncCache {
	cudaFuncCachePreferNone,
	cudaFuncCachePreferShared,
	cudaFuncCachePreferL1,
	cudaFuncCachePreferEqual,
};

enum cudaSharedMemConfig {
	cudaSharedMemBankSizeDefault,
	cudaSharedMemBankSizeFourByte,
	cudaSharedMemBankSizeEightByte,
};

enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9,
	cudaFuncAttributeClusterDimMustBeSet = 10,
	cudaFuncAttributeRequiredClusterWidth = 11,
	cudaFuncAttributeRequiredClusterHeight = 12,
	cudaFuncAttributeRequiredClusterDepth = 13,
	cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
};

/* How much of an SM's memory is to be shared memory, in percent. */
enum cudaSharedCarveout {
	cudaSharedmemCarveoutDefault = -1,
	cudaSharedmemCarveoutMaxL1 = 0,
	cudaSharedmemCarveoutMaxShared = 100,
};

enum cudaComputeMode {
	cudaComputeModeDefault,
	cudaComputeModeExclusive,
	cudaComputeModeProhibited,
	cudaComputeModeExclusiveProcess,
};

enum cudaDeviceP2PAttr {
	cudaDevP2PAttrPerformanceRank = 1,
	cudaDevP2PAttrAccessSupported,
	cudaDevP2PAttrNativeAtomicSupported,
	cudaDevP2PAttrCudaArrayAccessSupported,
	cudaDevP2PAttrOnlyPartialNativeAtomicSupported,
};

struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
	int preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight;
	int requiredClusterDepth, clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
};

enum cudaLimit {
	cudaLimitStackSize,
	cudaLimitPrintfFifoSize,
	cudaLimitMallocHeapSize,
	cudaLimitDevRuntimeSyncDepth,
	cudaLimitDevRuntimePendingLaunchCount,
	cudaLimitMaxL2FetchGranularity,
	cudaLimitPersistingL2CacheSize,
};

enum cudaLaunchAttributeID {
	cudaLaunchAttributeIgnore = 0,
	cudaLaunchAttributeAccessPolicyWindow = 1,
	cudaLaunchAttributeCooperative = 2,
	cudaLaunchAttributeSynchronizationPolicy = 3,
	cudaLaunchAttributeClusterDimension = 4,
	cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
	cudaLaunchAttributeProgrammaticStreamSerialization = 6,
	cudaLaunchAttributeProgrammaticEvent = 7,
	cudaLaunchAttributePriority = 8,
	cudaLaunchAttributeMemSyncDomainMap = 9,
	cudaLaunchAttributeMemSyncDomain = 10,
	cudaLaunchAttributePreferredClusterDimension = 11,
	cudaLaunchAttributeLaunchCompletionEvent = 12,
	cudaLaunchAttributeDeviceUpdatableKernelNode = 13,
	cudaLaunchAttributePreferredSharedMemoryCarveout = 14,
};

enum cudaSynchronizationPolicy {
	cudaSyncPolicyAuto = 1,
	cudaSyncPolicySpin,
	cudaSyncPolicyYield,
	cudaSyncPolicyBlockingSync,
};

enum cudaClusterSchedulingPolicy {
	cudaClusterSchedulingPolicyDefault,
	cudaClusterSchedulingPolicySpread,
	cudaClusterSchedulingPolicyLoadBalancing,
};

enum cudaLaunchMemSyncDomain {
	cudaLaunchMemSyncDomainDefault,
	cudaLaunchMemSyncDomainRemote,
};

enum cudaAccessProperty {
	cudaAccessPropertyNormal,
	cudaAccessPropertyStreaming,
	cudaAccessPropertyPersisting,
};

struct cudaAccessPolicyWindow {
	void *base_ptr;
	size_t num_bytes;
	float hitRatio;
	cudaAccessProperty hitProp, missProp;
};

union cudaLaunchAttributeValue {
	char pad[64];
	cudaAccessPolicyWindow accessPolicyWindow;
	cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
	cudaLaunchMemSyncDomain memSyncDomain;
	unsigned int sharedMemCarveout;
	struct {
		cudaEvent_t event;
		int flags, triggerAtBlockStart;
	} programmaticEvent;
	struct {
		unsigned int x, y, z;
	} preferredClusterDim;
	cudaSynchronizationPolicy syncPolicy;
	int cooperative, priority, programmaticStreamSerializationAllowed;
	struct {
		unsigned int x, y, z;
	} clusterDim;
};

struct cudaLaunchAttribute {
	cudaLaunchAttributeID id;
	char pad[4];
	cudaLaunchAttributeValue val;
};

typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
typedef cudaLaunchAttributeID cudaKernelNodeAttrID;
typedef cudaLaunchAttributeValue cudaKernelNodeAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority
#define cudaKernelNodeAttributeClusterDimension cudaLaunchAttributeClusterDimension
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy

struct cudaLaunchConfig_t {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned int numAttrs;
};

enum cudaStreamCaptureMode {
	cudaStreamCaptureModeGlobal,
	cudaStreamCaptureModeThreadLocal,
	cudaStreamCaptureModeRelaxed,
};

enum cudaStreamUpdateCaptureDependenciesFlags {
	cudaStreamAddCaptureDependencies,
	cudaStreamSetCaptureDependencies,
};

enum cudaStreamCaptureStatus {
	cudaStreamCaptureStatusNone,
	cudaStreamCaptureStatusActive,
	cudaStreamCaptureStatusInvalidated,
};

/* --- arrays, textures, surfaces ----------------------------------------------------------------------------------------- */

enum cudaChannelFormatKind {
	cudaChannelFormatKindSigned,
	cudaChannelFormatKindUnsigned,
	cudaChannelFormatKindFloat,
	cudaChannelFormatKindNone,
};

struct cudaChannelFormatDesc {
	int x, y, z, w;
	cudaChannelFormatKind f;
};

enum cudaResourceType {
	cudaResourceTypeArray,
	cudaResourceTypeMipmappedArray,
	cudaResourceTypeLinear,
	cudaResourceTypePitch2D,
};

struct cudaResourceDesc {
	cudaResourceType resType;
	union {
		struct {
			cudaArray_t array;
		} array;
		struct {
			cudaMipmappedArray_t mipmap;
		} mipmap;
		struct {
			void *devPtr;
			cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			cudaChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
		int reserved[32];
	} res;
	unsigned int flags;
};

enum cudaTextureAddressMode {
	cudaAddressModeWrap,
	cudaAddressModeClamp,
	cudaAddressModeMirror,
	cudaAddressModeBorder,
};

enum cudaTextureFilterMode {
	cudaFilterModePoint,
	cudaFilterModeLinear,
};

enum cudaTextureReadMode {
	cudaReadModeElementType,
	cudaReadModeNormalizedFloat,
};

enum cudaSurfaceBoundaryMode {
	cudaBoundaryModeZero,
	cudaBoundaryModeClamp,
	cudaBoundaryModeTrap,
};

struct cudaTextureDesc {
	cudaTextureAddressMode addressMode[3];
	cudaTextureFilterMode filterMode;
	cudaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization, seamlessCubemap;
};

enum cudaResourceViewFormat { cudaResViewFormatNone };

struct cudaResourceViewDesc {
	cudaResourceViewFormat format;
	size_t width, height, depth;
	unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
};

/* --- pools, ranges ------------------------------------------------------------------------------------------------------ */

enum cudaMemPoolAttr {
	cudaMemPoolReuseFollowEventDependencies = 1,
	cudaMemPoolReuseAllowOpportunistic,
	cudaMemPoolReuseAllowInternalDependencies,
	cudaMemPoolAttrReleaseThreshold,
	cudaMemPoolAttrReservedMemCurrent,
	cudaMemPoolAttrReservedMemHigh,
	cudaMemPoolAttrUsedMemCurrent,
	cudaMemPoolAttrUsedMemHigh,
};

enum cudaMemRangeAttribute {
	cudaMemRangeAttributeReadMostly = 1,
	cudaMemRangeAttributePreferredLocation,
	cudaMemRangeAttributeAccessedBy,
	cudaMemRangeAttributeLastPrefetchLocation,
	cudaMemRangeAttributePreferredLocationType,
	cudaMemRangeAttributePreferredLocationId,
	cudaMemRangeAttributeLastPrefetchLocationType,
	cudaMemRangeAttributeLastPrefetchLocationId,
};

enum cudaMemAllocationType {
	cudaMemAllocationTypeInvalid,
	cudaMemAllocationTypePinned,
	cudaMemAllocationTypeManaged,
};

enum cudaMemAllocationHandleType {
	cudaMemHandleTypeNone,
	cudaMemHandleTypePosixFileDescriptor,
};

struct cudaMemPoolProps {
	cudaMemAllocationType allocType;
	cudaMemAllocationHandleType handleTypes;
	cudaMemLocation location;
	void *win32SecurityAttributes;
	size_t maxSize;
	unsigned short usage;
	unsigned char reserved[54];
};

/* --- further parts of graphs ------------------------------------------------------------------------------------------ */

enum cudaGraphNodeType {
	cudaGraphNodeTypeKernel,
	cudaGraphNodeTypeMemcpy,
	cudaGraphNodeTypeMemset,
	cudaGraphNodeTypeHost,
	cudaGraphNodeTypeGraph,
	cudaGraphNodeTypeEmpty,
	cudaGraphNodeTypeWaitEvent,
	cudaGraphNodeTypeEventRecord,
	cudaGraphNodeTypeExtSemaphoreSignal,
	cudaGraphNodeTypeExtSemaphoreWait,
	cudaGraphNodeTypeMemAlloc,
	cudaGraphNodeTypeMemFree,
	cudaGraphNodeTypeConditional = 13,
};
struct cudaGraphEdgeData {
	unsigned char from_port, to_port, type, reserved[5];
};
enum cudaGraphExecUpdateResult {
	cudaGraphExecUpdateSuccess,
	cudaGraphExecUpdateError,
	cudaGraphExecUpdateErrorTopologyChanged,
	cudaGraphExecUpdateErrorNodeTypeChanged,
	cudaGraphExecUpdateErrorFunctionChanged,
	cudaGraphExecUpdateErrorParametersChanged,
	cudaGraphExecUpdateErrorNotSupported,
	cudaGraphExecUpdateErrorUnsupportedFunctionChange,
	cudaGraphExecUpdateErrorAttributesChanged,
};
struct cudaGraphExecUpdateResultInfo {
	cudaGraphExecUpdateResult result;
	cudaGraphNode_t errorNode, errorFromNode;
};
enum cudaMemAccessFlags {
	cudaMemAccessFlagsProtNone = 0,
	cudaMemAccessFlagsProtRead = 1,
	cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
	cudaMemLocation location;
	cudaMemAccessFlags flags;
};
struct cudaMemAllocNodeParams {
	cudaMemPoolProps poolProps;
	const cudaMemAccessDesc *accessDescs;
	size_t accessDescCount, bytesize;
	void *dptr;
};
enum cudaGraphMemAttributeType {
	cudaGraphMemAttrUsedMemCurrent,
	cudaGraphMemAttrUsedMemHigh,
	cudaGraphMemAttrReservedMemCurrent,
	cudaGraphMemAttrReservedMemHigh,
};
struct cudaMemFreeNodeParams {
	void *dptr;
};
struct cudaMemcpyNodeParams {
	int flags, reserved[3];
	cudaMemcpy3DParms copyParams;
};
struct cudaChildGraphNodeParams {
	cudaGraph_t graph;
	int ownership;
};
struct cudaEventNodeParams {
	cudaEvent_t event;
};
typedef cudaEventNodeParams cudaEventRecordNodeParams, cudaEventWaitNodeParams;
typedef cudaKernelNodeParams cudaKernelNodeParamsV2;
typedef cudaMemsetParams cudaMemsetParamsV2;
typedef cudaHostNodeParams cudaHostNodeParamsV2;
typedef cudaMemAllocNodeParams cudaMemAllocNodeParamsV2;
typedef unsigned long long cudaGraphConditionalHandle;
enum cudaGraphConditionalHandleFlags {
	cudaGraphCondAssignDefault = 1,
};
enum cudaGraphConditionalNodeType {
	cudaGraphCondTypeIf,
	cudaGraphCondTypeWhile,
	cudaGraphCondTypeSwitch,
};
struct cudaConditionalNodeParams {
	cudaGraphConditionalHandle handle;
	cudaGraphConditionalNodeType type;
	unsigned int size;
	cudaGraph_t *phGraph_out;
};
/* A node of any type. */
struct cudaGraphNodeParams {
	cudaGraphNodeType type;
	int reserved0[3];
	union {
		long long reserved1[29];
		cudaKernelNodeParamsV2 kernel;
		cudaMemcpyNodeParams memcpy;
		cudaMemsetParamsV2 memset;
		cudaHostNodeParamsV2 host;
		cudaChildGraphNodeParams graph;
		cudaEventWaitNodeParams eventWait;
		cudaEventRecordNodeParams eventRecord;
		cudaMemAllocNodeParamsV2 alloc;
		cudaMemFreeNodeParams free;
		cudaConditionalNodeParams conditional;
	};
	long long reserved2;
};
SIMT_ASSERT(sizeof(cudaGraphNodeParams) == 256, "as the runtime reads it");
enum cudaGraphInstantiateFlags {
	cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
	cudaGraphInstantiateFlagUpload = 2,
	cudaGraphInstantiateFlagDeviceLaunch = 4,
	cudaGraphInstantiateFlagUseNodePriority = 8,
};
enum cudaGraphInstantiateResult {
	cudaGraphInstantiateSuccess,
	cudaGraphInstantiateError,
	cudaGraphInstantiateInvalidStructure,
	cudaGraphInstantiateNodeOperationNotSupported,
	cudaGraphInstantiateMultipleDevicesNotSupported,
	cudaGraphInstantiateConditionalHandleUnused,
};
struct cudaGraphInstantiateParams {
	unsigned long long flags;
	cudaStream_t uploadStream;
	cudaGraphNode_t errNode_out;
	cudaGraphInstantiateResult result_out;
};
enum cudaGraphDebugDotFlags {
	cudaGraphDebugDotFlagsVerbose = 1,
	cudaGraphDebugDotFlagsKernelNodeParams = 4,
	cudaGraphDebugDotFlagsMemcpyNodeParams = 8,
	cudaGraphDebugDotFlagsMemsetNodeParams = 16,
	cudaGraphDebugDotFlagsHostNodeParams = 32,
	cudaGraphDebugDotFlagsEventNodeParams = 64,
	cudaGraphDebugDotFlagsKernelNodeAttributes = 512,
	cudaGraphDebugDotFlagsHandles = 1024,
};

/* --- copies of many --------------------------------------------------------------------------------------------------- */

enum cudaMemcpySrcAccessOrder {
	cudaMemcpySrcAccessOrderInvalid,
	cudaMemcpySrcAccessOrderStream,
	cudaMemcpySrcAccessOrderDuringApiCall,
	cudaMemcpySrcAccessOrderAny,
};
enum cudaMemcpyFlags {
	cudaMemcpyFlagDefault,
	cudaMemcpyFlagPreferOverlapWithCompute,
};
struct cudaMemcpyAttributes {
	cudaMemcpySrcAccessOrder srcAccessOrder;
	cudaMemLocation srcLocHint, dstLocHint;
	unsigned int flags;
};
struct cudaMemcpy3DPeerParms {
	cudaArray_t srcArray;
	cudaPos srcPos;
	cudaPitchedPtr srcPtr;
	int srcDevice;
	cudaArray_t dstArray;
	cudaPos dstPos;
	cudaPitchedPtr dstPtr;
	int dstDevice;
	cudaExtent extent;
};
typedef struct CUuserObject_st *cudaUserObject_t;
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };

enum cudaDriverEntryPointQueryResult {
	cudaDriverEntryPointSuccess,
	cudaDriverEntryPointSymbolNotFound,
	cudaDriverEntryPointVersionNotSufficent,
};
enum {
	cudaEnableDefault = 0,
	cudaEnableLegacyStream = 1,
	cudaEnablePerThreadDefaultStream = 2,
};

struct cudaIpcEventHandle_t {
	char reserved[64];
};
struct cudaIpcMemHandle_t {
	char reserved[64];
};
